package io.jsrpt.rdma;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A protection domain: memory regions and queue pairs work together only within one. */
public interface ProtectionDomain extends AutoCloseable {
    /** The device that it belongs to. */
    RdmaDevice device();

    /**
     * Registers native memory. The caller keeps the memory alive until {@link MemoryRegion#close} has returned.
     *
     * @param memory a native segment that any thread may access
     * @param access what peers may do; local reads and writes are always allowed. An empty set gives a region that no
     *     peer can reach, the only kind that an SRP target needs
     * @throws RdmaException when the provider has no room or the host's limits forbid it
     */
    MemoryRegion register(MemorySegment memory, Set<Access> access) throws RdmaException;

    /** Frees the domain; its regions, queue pairs and shared receive queues must have been closed. Idempotent. */
    @Override
    void close();

    /** What a peer may do with a memory region. */
    enum Access {
        REMOTE_READ,
        REMOTE_WRITE
    }
}
