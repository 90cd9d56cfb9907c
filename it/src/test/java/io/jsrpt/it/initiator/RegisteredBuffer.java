package io.jsrpt.it.initiator;

import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Native memory that is registered, with the peer's access that it was made with.
 *
 * @param memory the bytes
 * @param region their registration
 * @param arena what they live in
 */
public record RegisteredBuffer(MemorySegment memory, MemoryRegion region, Arena arena) implements AutoCloseable {
    private static final long ALIGNMENT = 4096;

    /** Allocates and registers. */
    public static RegisteredBuffer allocate(ProtectionDomain pd, long bytes, Set<ProtectionDomain.Access> access)
            throws RdmaException {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(bytes, ALIGNMENT);
        return new RegisteredBuffer(memory, pd.register(memory, access), arena);
    }

    /** Address of a byte. */
    public long address(long offset) {
        return memory.address() + offset;
    }

    @Override
    public void close() {
        region.close();
        arena.close();
    }
}
