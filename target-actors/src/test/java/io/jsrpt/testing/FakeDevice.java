package io.jsrpt.testing;

import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.DeviceAttributes;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.PortAttributes;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.SharedReceiveQueue;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * An RDMA device in memory, for tests of one thread. It counts what is open, and can be told to have no room for the
 * next resource of a kind: {@code protection-domains}, {@code memory-regions}, {@code completion-queues},
 * {@code queue-pairs}.
 */
public final class FakeDevice implements RdmaDevice {
    private final DeviceAttributes attributes;
    private final RemoteMemory remote = new RemoteMemory();
    private final Map<Integer, MemorySegment> regions = new HashMap<>();
    private final Map<String, Integer> open = new TreeMap<>();
    private String noRoomFor = "";
    private int nextNumber = 1;

    /** A device whose queues hold so many work requests. */
    public FakeDevice(int maxWorkRequests, long maxMessageBytes) {
        attributes = new DeviceAttributes(
                0x0002_c903_0000_0001L, 0x2c9, 1, 1, maxWorkRequests, maxWorkRequests, 16, 16, maxMessageBytes);
    }

    /** A device with room enough. */
    public FakeDevice() {
        this(32_768, 1L << 31);
    }

    /** The peer's memory. */
    public RemoteMemory remote() {
        return remote;
    }

    /** The next resource of this kind cannot be created. */
    public void noRoomForNext(String kind) {
        noRoomFor = kind;
    }

    /** What is open, by kind; empty when everything was closed. */
    public Map<String, Integer> open() {
        return Map.copyOf(open);
    }

    @Override
    public String name() {
        return "fake0";
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public List<PortAttributes> ports() {
        return List.of();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws RdmaException {
        opened("protection-domains");
        return new FakeProtectionDomain();
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, Runnable notification) throws RdmaException {
        opened("completion-queues");
        return new FakeCompletionQueue(this, capacity, notification);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(ProtectionDomain pd, int capacity) throws RdmaException {
        throw new RdmaException("no shared receive queues here");
    }

    @Override
    public CmEventChannel createEventChannel() throws RdmaException {
        throw new RdmaException("no connection manager here");
    }

    @Override
    public List<Counter> counters() {
        return open.entrySet().stream()
                .map(e -> new Counter("open." + e.getKey(), e.getValue()))
                .toList();
    }

    void opened(String kind) throws RdmaException {
        if (kind.equals(noRoomFor)) {
            noRoomFor = "";
            throw new RdmaException("no room in " + kind);
        }
        open.merge(kind, 1, Integer::sum);
    }

    void closed(String kind) {
        open.compute(kind, (_, count) -> count == 1 ? null : count - 1);
    }

    int nextNumber() {
        return nextNumber++;
    }

    Optional<MemorySegment> local(long address, long length, int lkey) {
        MemorySegment region = regions.get(lkey);
        if (region == null || address < region.address()
                || address + length > region.address() + region.byteSize()) {
            return Optional.empty();
        }
        return Optional.of(region.asSlice(address - region.address(), length));
    }

    private final class FakeProtectionDomain implements ProtectionDomain {
        private boolean closed;

        @Override
        public RdmaDevice device() {
            return FakeDevice.this;
        }

        @Override
        public MemoryRegion register(MemorySegment memory, Set<Access> access) throws RdmaException {
            opened("memory-regions");
            FakeRegion region = new FakeRegion(memory, nextNumber());
            regions.put(region.lkey(), memory);
            return region;
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                FakeDevice.this.closed("protection-domains");
            }
        }
    }

    private final class FakeRegion implements MemoryRegion {
        private final MemorySegment memory;
        private final int key;

        FakeRegion(MemorySegment memory, int key) {
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
            if (regions.remove(key) != null) {
                closed("memory-regions");
            }
        }
    }
}
