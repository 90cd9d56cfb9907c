package io.jsrpt.testing.rdma;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.ServiceId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** An opened provider in memory. */
public final class SimService implements RdmaService {
    private final Ledger ledger = new Ledger();
    private final List<SimDevice> devices = new ArrayList<>();
    private final Ledger.Entry entry = ledger.opened("service");
    private final List<MemorySegment> registered = new ArrayList<>();
    private long lastNumber;

    /** A service with so many devices, {@code sim0} and so on, at 10.0.0.1 and so on. */
    public SimService(int count, Faults faults) {
        for (int i = 0; i < count; i++) {
            devices.add(new SimDevice(this, "sim" + i, new Gid(0, 0xffff_0a00_0001L + i), faults));
        }
    }

    @Override
    public List<RdmaDevice> devices() {
        return List.copyOf(devices);
    }

    /** One device. */
    public SimDevice device(int index) {
        return devices.get(index);
    }

    /** An id of a connection that nobody was told of, for events that need one. */
    public SimId unconnectedId() {
        return new SimId(new SimEventChannel(devices.getFirst()), new Gid(0, 0), new ServiceId(0));
    }

    /** The account. */
    public Ledger ledger() {
        return ledger;
    }

    /** All connections, ended ones too, in the order of their requests. */
    public List<SimId> connections() {
        synchronized (ledger) {
            return devices.stream().flatMap(device -> device.connections().stream()).toList();
        }
    }

    @Override
    public void close() {
        synchronized (ledger) {
            if (entry.destroyed(true) && !ledger.open().isEmpty()) {
                ledger.violation("the service was closed with open objects: " + ledger.open());
            }
        }
    }

    /** Whether it was closed. */
    public boolean closed() {
        synchronized (ledger) {
            return entry.gone();
        }
    }

    /** How many of the memories that were ever registered are still allocated. */
    public long memoriesAlive() {
        synchronized (ledger) {
            return registered.stream().filter(memory -> memory.scope().isAlive()).count();
        }
    }

    void registered(MemorySegment memory) {
        registered.add(memory);
    }

    long nextNumber() {
        return ++lastNumber;
    }
}
