package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.DeviceAttributes;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.PortAttributes;
import io.jsrpt.rdma.PortAttributes.LinkLayer;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.SharedReceiveQueue;
import io.jsrpt.rdma.cm.CmSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A device: one bound address with its network thread; one port, one GID. */
final class RoceDevice implements RdmaDevice {
    private static final int MAX_WORK_REQUESTS = 1 << 15;
    private static final int MAX_READ_DEPTH = 128;

    private final String name;
    private final PathMtu maxPathMtu;
    private final long guid;
    private final NetworkThread network;
    private final AtomicInteger domains = new AtomicInteger();
    private ConnectionManager manager;

    private RoceDevice(String name, PacketSocket socket, PathMtu maxPathMtu, Tuning tuning, AtomicLong idNumbers) {
        this.name = name;
        this.maxPathMtu = maxPathMtu.min(socket.maxPathMtu());
        guid = Guid.of(socket.local());
        network = new NetworkThread(name, socket, tuning, thread -> {
            CmSettings settings = CmSettings.of(socket.local(), guid, this.maxPathMtu);
            manager = new ConnectionManager(this, thread, settings, idNumbers);
            return manager;
        });
    }

    /**
     * Opens a device on a socket that is then its own, and starts its thread.
     *
     * @param idNumbers where the numbers of connection ids come from
     */
    static RoceDevice start(
            String name, PacketSocket socket, PathMtu maxPathMtu, Tuning tuning, AtomicLong idNumbers) {
        RoceDevice device = new RoceDevice(name, socket, maxPathMtu, tuning, idNumbers);
        device.network.start();
        return device;
    }

    NetworkThread network() {
        return network;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return new DeviceAttributes(
            guid,
            0,
            0,
            1,
            MAX_WORK_REQUESTS,
            MAX_WORK_REQUESTS,
            MAX_READ_DEPTH,
            MAX_READ_DEPTH,
            Connection.MAX_MESSAGE_BYTES);
    }

    @Override
    public List<PortAttributes> ports() {
        return List.of(
            new PortAttributes(1, LinkLayer.ETHERNET, network.running(), maxPathMtu, List.of(network.gid())));
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws RdmaException {
        int number = domains.incrementAndGet();
        network.create("protection domain", () -> {
            network.counters().increment(Count.OPEN_PROTECTION_DOMAINS);
            return number;
        });
        return new RoceProtectionDomain(this, network, number);
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, Runnable notification) throws RdmaException {
        return network.create("completion queue", () -> {
            RoceCompletionQueue made = new RoceCompletionQueue(network, capacity, notification);
            network.counters().increment(Count.OPEN_COMPLETION_QUEUES);
            return made;
        });
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(ProtectionDomain pd, int capacity) throws RdmaException {
        int domain = own(pd).number();
        checkDepth(capacity);
        return network.create("shared receive queue", () -> {
            RoceSharedReceiveQueue made = new RoceSharedReceiveQueue(network, domain, capacity);
            network.counters().increment(Count.OPEN_SHARED_RECEIVE_QUEUES);
            return made;
        });
    }

    @Override
    public CmEventChannel createEventChannel() throws RdmaException {
        return network.create("event channel", () -> {
            network.counters().increment(Count.OPEN_EVENT_CHANNELS);
            return new RoceEventChannel(network, manager);
        });
    }

    /** Makes a queue pair in INIT. */
    RoceQueuePair createQueuePair(QueuePairSpec spec) throws RdmaException {
        int domain = own(spec.pd()).number();
        RoceCompletionQueue sendQueue = own(spec.sendQueue());
        RoceCompletionQueue receiveQueue = own(spec.receiveQueue());
        boolean shared = spec.sharedReceiveQueue().isPresent();
        checkDepth(spec.maxSendWorkRequests());
        checkDepth(spec.maxReceiveWorkRequests());
        SendRing sends = new SendRing(spec.maxSendWorkRequests());
        ReceiveRing receives = shared
            ? own(spec.sharedReceiveQueue().get(), domain).receives()
            : new ReceiveRing(spec.maxReceiveWorkRequests());
        QpEngine engine = network.create("queue pair", () -> {
            QpEngine made = new QpEngine(
                network.queuePairs().allocate(),
                domain,
                sends,
                receives,
                shared,
                sendQueue,
                receiveQueue,
                network.counters());
            network.queuePairs().put(made);
            network.counters().increment(Count.OPEN_QUEUE_PAIRS);
            return made;
        });
        return new RoceQueuePair(network, engine, sends, receives, shared);
    }

    private static void checkDepth(int workRequests) throws RdmaException {
        if (workRequests < 0 || workRequests > MAX_WORK_REQUESTS) {
            throw new RdmaException("a queue of " + workRequests + " work requests is not in 0.." + MAX_WORK_REQUESTS);
        }
    }

    private RoceProtectionDomain own(ProtectionDomain pd) throws RdmaException {
        if (pd instanceof RoceProtectionDomain own && own.device() == this) {
            return own;
        }
        throw new RdmaException("the protection domain is not of " + name);
    }

    private RoceCompletionQueue own(CompletionQueue queue) throws RdmaException {
        if (queue instanceof RoceCompletionQueue own && own.network() == network) {
            return own;
        }
        throw new RdmaException("the completion queue is not of " + name);
    }

    private RoceSharedReceiveQueue own(SharedReceiveQueue queue, int domain) throws RdmaException {
        if (queue instanceof RoceSharedReceiveQueue own && own.network() == network && own.domain() == domain) {
            return own;
        }
        throw new RdmaException("the shared receive queue is not of " + name + " and the protection domain");
    }

    @Override
    public List<Counter> counters() {
        List<Counter> all = new ArrayList<>(network.socket().counters());
        for (Count count : Count.values()) {
            all.add(new Counter(count.counter(), network.counters().get(count)));
        }
        return List.copyOf(all);
    }

    /** Ends the device's thread and closes its socket. */
    void close() {
        network.close();
    }

    @Override
    public String toString() {
        return name + " at " + network.gid().toAddress().getHostAddress();
    }
}
