package io.jsrpt.testing.rdma;

import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.DeviceAttributes;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.PortAttributes;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A device of a service in memory. */
public final class SimDevice implements RdmaDevice {
    private final SimService service;
    private final String name;
    private final Gid gid;
    private final Faults faults;
    private final List<SimEventChannel> channels = new ArrayList<>();
    private final List<SimId> connections = new ArrayList<>();

    SimDevice(SimService service, String name, Gid gid, Faults faults) {
        this.service = service;
        this.name = name;
        this.gid = gid;
        this.faults = faults;
    }

    /**
     * A peer asks for a connection.
     *
     * @return empty when nobody listens to the service
     */
    public Optional<SimId> request(Gid remote, ServiceId to, byte[] privateData) {
        synchronized (ledger()) {
            for (SimEventChannel channel : channels) {
                Optional<SimId> listener = channel.listener(to);
                if (listener.isPresent()) {
                    SimId id = new SimId(channel, remote, to);
                    connections.add(id);
                    channel.request(id, listener.get(), privateData);
                    return Optional.of(id);
                }
            }
            return Optional.empty();
        }
    }

    /** The events that nobody has taken yet. */
    public int waitingEvents() {
        synchronized (ledger()) {
            return channels.stream().mapToInt(SimEventChannel::waiting).sum();
        }
    }

    /** The device goes away, for its listeners and its connections. */
    public void removed() {
        synchronized (ledger()) {
            channels.forEach(SimEventChannel::listenerRemoved);
            connections.forEach(SimId::deviceRemoved);
        }
    }

    List<SimId> connections() {
        return connections;
    }

    SimService service() {
        return service;
    }

    Ledger ledger() {
        return service.ledger();
    }

    Faults faults() {
        return faults;
    }

    Gid gid() {
        return gid;
    }

    void closed(SimEventChannel channel) {
        channels.remove(channel);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return new DeviceAttributes(0x0200_0000_0000_0001L, 0, 0, 0, 1024, 1024, 16, 16, 1L << 31);
    }

    @Override
    public List<PortAttributes> ports() {
        return List.of(new PortAttributes(
                1, PortAttributes.LinkLayer.ETHERNET, true, PathMtu.MTU_4096, List.of(gid)));
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws RdmaException {
        synchronized (ledger()) {
            faults.refuse("allocate a protection domain");
            return new SimDomain(this);
        }
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, Runnable notification) throws RdmaException {
        synchronized (ledger()) {
            faults.crash("create a completion queue");
            faults.refuse("create a completion queue");
            return new SimCompletionQueue(this, capacity, notification);
        }
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(ProtectionDomain pd, int capacity) throws RdmaException {
        throw new RdmaException("no shared receive queues here");
    }

    @Override
    public CmEventChannel createEventChannel() throws RdmaException {
        synchronized (ledger()) {
            faults.refuse("create an event channel");
            SimEventChannel channel = new SimEventChannel(this);
            channels.add(channel);
            return channel;
        }
    }

    @Override
    public List<Counter> counters() {
        return List.of();
    }
}
