package io.jsrpt.channel;

import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * The registered memory of a channel, one region: the data pool, the receive buffers, the response buffers, and two
 * buffers for units that the target sends of its own accord. No peer can reach it but by what this side posts.
 */
final class ChannelMemory implements AutoCloseable {
    /** The alignment that a store may count on for immediate data. */
    static final int DATA_ALIGNMENT = 512;

    /** Bytes of a control buffer. */
    static final int CONTROL_BYTES = 64;

    private static final int CONTROL_BUFFERS = 2;

    private final Arena arena;
    private final MemoryRegion region;
    private final MemorySegment memory;
    private final int poolBytes;
    private final long receiveBase;
    private final int receivePad;
    private final int receiveStride;
    private final long responseBase;
    private final int responseStride;
    private final long controlBase;

    /**
     * Allocates and registers.
     *
     * @param receives number of receive buffers
     * @param responses number of response buffers
     * @param immediateDataOffset receive buffers are placed so that data at this offset of a unit are aligned
     */
    ChannelMemory(ProtectionDomain pd, ChannelSettings settings, int receives, int responses, int immediateDataOffset)
            throws RdmaException {
        poolBytes = roundUp(settings.dataPoolBytes(), DataBufferPool.UNIT);
        receivePad = roundUp(immediateDataOffset, DATA_ALIGNMENT) - immediateDataOffset;
        receiveStride = roundUp(receivePad + settings.maxRequestBytes(), DATA_ALIGNMENT);
        responseStride = roundUp(settings.maxResponseBytes(), CONTROL_BYTES);
        receiveBase = poolBytes;
        responseBase = receiveBase + (long) receives * receiveStride;
        controlBase = responseBase + (long) responses * responseStride;
        long bytes = controlBase + CONTROL_BUFFERS * (long) CONTROL_BYTES;
        arena = Arena.ofShared();
        try {
            memory = arena.allocate(bytes, DataBufferPool.UNIT);
            region = pd.register(memory, Set.of());
        } catch (OutOfMemoryError e) {
            // Native memory is short, not the heap: a login that cannot be served, and no more than that.
            arena.close();
            throw new RdmaException("no memory for " + bytes + " bytes of buffers", e);
        } catch (RdmaException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** All of it; the offsets below are into it. */
    MemorySegment memory() {
        return memory;
    }

    int lkey() {
        return region.lkey();
    }

    long address(long offset) {
        return memory.address() + offset;
    }

    MemorySegment pool() {
        return memory.asSlice(0, poolBytes);
    }

    long receiveOffset(int slot) {
        return receiveBase + (long) slot * receiveStride + receivePad;
    }

    long responseOffset(int index) {
        return responseBase + (long) index * responseStride;
    }

    long controlOffset(int index) {
        return controlBase + (long) index * CONTROL_BYTES;
    }

    /**
     * Deregisters: the device forgets the memory, while a store may still use it. The protection domain can be freed
     * then, however long the store takes. Idempotent.
     */
    void deregister() {
        region.close();
    }

    /** Deregisters and frees; neither a store nor a queue pair may still use it. */
    @Override
    public void close() {
        region.close();
        arena.close();
    }

    private static int roundUp(int value, int unit) {
        return Math.multiplyExact(Math.ceilDiv(value, unit), unit);
    }
}
