package io.jsrpt.testing.rdma;

import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A protection domain. */
final class SimDomain implements ProtectionDomain {
    private final SimDevice device;
    private final Ledger.Entry entry;
    private final Map<Integer, Region> regions = new HashMap<>();
    private int queuePairs;

    SimDomain(SimDevice device) {
        this.device = device;
        this.entry = device.ledger().opened("protection domain of " + device.name());
    }

    /** The registered memory at an address, for a transfer; empty when the key does not cover it. */
    Optional<MemorySegment> find(int lkey, long address, int length) {
        return Optional.ofNullable(regions.get(lkey))
                .map(Region::memory)
                .filter(m -> address >= m.address() && address + length <= m.address() + m.byteSize())
                .map(m -> m.asSlice(address - m.address(), length));
    }

    void queuePairOpened() {
        entry.used("create a queue pair");
        queuePairs++;
    }

    void queuePairClosed() {
        queuePairs--;
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public MemoryRegion register(MemorySegment memory, Set<Access> access) throws RdmaException {
        synchronized (device.ledger()) {
            entry.used("register");
            device.faults().crash("register memory");
            device.faults().refuse("register memory");
            Region region = new Region(memory, (int) device.service().nextNumber());
            regions.put(region.key, region);
            device.service().registered(memory);
            return region;
        }
    }

    @Override
    public void close() {
        synchronized (device.ledger()) {
            if (entry.destroyed(true) && (!regions.isEmpty() || queuePairs != 0)) {
                device.ledger().violation(entry.name() + ": closed with " + regions.size() + " memory regions and "
                        + queuePairs + " queue pairs");
            }
        }
    }

    private final class Region implements MemoryRegion {
        private final MemorySegment memory;
        private final int key;
        private final Ledger.Entry region;

        Region(MemorySegment memory, int key) {
            this.memory = memory;
            this.key = key;
            this.region = device.ledger().opened("memory region " + key);
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
            synchronized (device.ledger()) {
                if (region.destroyed(true)) {
                    regions.remove(key);
                }
            }
        }
    }
}
