package io.jsrpt.rdma;

import java.lang.foreign.MemorySegment;

/** Registered memory. Its address on the wire is {@code memory().address()}. */
public interface MemoryRegion extends AutoCloseable {
    /** The registered memory. */
    MemorySegment memory();

    /** The key for work requests of this side. */
    int lkey();

    /** The key for a peer's RDMA, if the region's access rights allow any. */
    int rkey();

    /**
     * Deregisters the memory. Once it has returned, neither the provider nor a peer touches the memory any more; work
     * that still names it ends with a protection error. Idempotent.
     */
    @Override
    void close();
}
