package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** A protection domain: a number that memory regions and queue pairs carry. */
final class RoceProtectionDomain implements ProtectionDomain {
    private final RoceDevice device;
    private final NetworkThread network;
    private final int number;
    private final AtomicBoolean closed = new AtomicBoolean();

    RoceProtectionDomain(RoceDevice device, NetworkThread network, int number) {
        this.device = device;
        this.network = network;
        this.number = number;
    }

    int number() {
        return number;
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public MemoryRegion register(MemorySegment memory, Set<Access> access) throws RdmaException {
        if (closed.get()) {
            throw new RdmaException("the protection domain is closed");
        }
        if (!memory.isNative() || !network.reaches(memory)) {
            throw new RdmaException("only native memory that any thread may access can be registered");
        }
        int rights = (access.contains(Access.REMOTE_READ) ? MemoryTable.REMOTE_READ : 0)
            + (access.contains(Access.REMOTE_WRITE) ? MemoryTable.REMOTE_WRITE : 0);
        if (memory.isReadOnly()) {
            throw new RdmaException("read-only memory cannot be registered: receives and READs write to it");
        }
        int key = network.create("memory region", () -> {
            int added = network.memory().add(number, memory.address(), memory.byteSize(), rights);
            network.counters().increment(Count.OPEN_MEMORY_REGIONS);
            return added;
        });
        return new RoceMemoryRegion(network, memory, key);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            network.release("protection domain", () -> network.counters().add(Count.OPEN_PROTECTION_DOMAINS, -1));
        }
    }
}
