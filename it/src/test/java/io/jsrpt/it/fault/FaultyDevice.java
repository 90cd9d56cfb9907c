package io.jsrpt.it.fault;

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
import java.util.List;
import java.util.Set;

/** A device, and its protection domains. */
record FaultyDevice(RdmaDevice inner, Faults faults) implements RdmaDevice {
    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public DeviceAttributes attributes() {
        return inner.attributes();
    }

    @Override
    public List<PortAttributes> ports() {
        return inner.ports();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws RdmaException {
        faults.check(Faults.Call.ALLOCATE_PROTECTION_DOMAIN);
        return new Domain(this, inner.allocateProtectionDomain());
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, Runnable notification) throws RdmaException {
        faults.check(Faults.Call.CREATE_COMPLETION_QUEUE);
        return new FaultyCompletionQueue(
                inner.createCompletionQueue(capacity, notification), faults, notification);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(ProtectionDomain pd, int capacity) throws RdmaException {
        return inner.createSharedReceiveQueue(((Domain) pd).inner, capacity);
    }

    @Override
    public CmEventChannel createEventChannel() throws RdmaException {
        faults.check(Faults.Call.CREATE_EVENT_CHANNEL);
        return new FaultyEventChannel(this, inner.createEventChannel());
    }

    @Override
    public List<Counter> counters() {
        return inner.counters();
    }

    record Domain(FaultyDevice device, ProtectionDomain inner) implements ProtectionDomain {
        @Override
        public MemoryRegion register(MemorySegment memory, Set<Access> access) throws RdmaException {
            device.faults.check(Faults.Call.REGISTER_MEMORY);
            return inner.register(memory, access);
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
