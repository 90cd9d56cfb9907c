package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** A registered memory region; local and remote key are the same number, the rights differ. */
final class RoceMemoryRegion implements MemoryRegion {
    private final NetworkThread network;
    private final MemorySegment memory;
    private final int key;
    private final AtomicBoolean closed = new AtomicBoolean();

    RoceMemoryRegion(NetworkThread network, MemorySegment memory, int key) {
        this.network = network;
        this.memory = memory;
        this.key = key;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public int lkey() {
        return key;
    }

    @Override
    public int rkey() {
        return key;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            network.release("memory region", () -> {
                network.memory().remove(key);
                network.counters().add(Count.OPEN_MEMORY_REGIONS, -1);
            });
        }
    }
}
