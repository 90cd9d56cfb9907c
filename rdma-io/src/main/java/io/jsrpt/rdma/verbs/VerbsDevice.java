package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.DeviceAttributes;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.PortAttributes;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.SharedReceiveQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One local address of an RDMA device, with a context of its own. */
final class VerbsDevice implements RdmaDevice {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsDevice.class);

    private final String name;
    private final InetAddress address;
    private final Binding binding;
    private final Context context;
    private final AtomicLong idNumbers;
    private final AtomicLong cookies = new AtomicLong();
    private final long channel;
    private final EventThread completions;
    private final EventThread asynchronous;

    private final Set<VerbsEventChannel> eventChannels = ConcurrentHashMap.newKeySet();
    private final Map<Long, VerbsQueuePair> queuePairs = new ConcurrentHashMap<>();
    private final Map<Long, VerbsCmId> ownersOfQueuePairs = new ConcurrentHashMap<>();
    private final Set<VerbsSharedReceiveQueue> sharedReceiveQueues = ConcurrentHashMap.newKeySet();
    private final Map<Long, VerbsCompletionQueue> completionQueues = new ConcurrentHashMap<>();
    private final Set<VerbsMemoryRegion> memoryRegions = ConcurrentHashMap.newKeySet();
    private final Set<VerbsProtectionDomain> protectionDomains = ConcurrentHashMap.newKeySet();
    private final AsyncEvents asyncEvents = new AsyncEvents(this);
    /** Held while something is made, so that nothing is made on a device that closes. */
    private final Object making = new Object();

    private boolean closed;

    private VerbsDevice(String name, InetAddress address, Binding binding, Context context, AtomicLong idNumbers)
            throws RdmaException {
        this.name = name;
        this.address = address;
        this.binding = binding;
        this.context = context;
        this.idNumbers = idNumbers;
        channel = Ibverbs.createCompChannel(context.pointer());
        if (channel == 0) {
            throw Errno.failed(name + ": ibv_create_comp_channel", Errno.last());
        }
        int descriptor = Raw.getInt(channel + Layouts.CompChannel.FD);
        completions = new EventThread(name + "-completions", descriptor, this::fetchCompletionEvents);
        asynchronous = new EventThread(name + "-async", context.asyncDescriptor(), asyncEvents::fetch);
    }

    /**
     * Opens the device that has an address.
     *
     * @param idNumbers where the numbers of connection ids come from
     */
    static VerbsDevice open(InetAddress address, Set<String> namesTaken, AtomicLong idNumbers) throws RdmaException {
        Binding.Opened opened = Binding.open(address);
        String name = opened.context().name();
        for (int i = 2; namesTaken.contains(name); i++) {
            name = opened.context().name() + "-" + i;
        }
        try {
            return new VerbsDevice(name, address, opened.binding(), opened.context(), idNumbers);
        } catch (RdmaException e) {
            opened.context().close();
            throw e;
        }
    }

    Context context() {
        return context;
    }

    InetAddress address() {
        return address;
    }

    /** The GID that the address has on the device. */
    Gid gid() {
        return binding.gid();
    }

    long nextNumber() {
        return idNumbers.incrementAndGet();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return context.attributes();
    }

    @Override
    public List<PortAttributes> ports() {
        Context.Port port;
        try {
            port = context.query(binding.port());
        } catch (RdmaException e) {
            LOG.warn("{} does not answer", name, e);
            port = context.absent(binding.port());
        }
        return List.of(new PortAttributes(
            port.number(), port.linkLayer(), port.active(), port.activeMtu(), List.of(binding.gid())));
    }

    @Override
    public boolean listensTo(ServiceId service) {
        return service.rdmaTcpPort().isPresent();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws RdmaException {
        synchronized (making) {
            checkOpen();
            VerbsProtectionDomain made = VerbsProtectionDomain.create(this);
            protectionDomains.add(made);
            return made;
        }
    }

    MemoryRegion register(VerbsProtectionDomain pd, MemorySegment memory, Set<Access> access) throws RdmaException {
        synchronized (making) {
            checkOpen();
            VerbsMemoryRegion made = VerbsMemoryRegion.register(pd, memory, access);
            memoryRegions.add(made);
            return made;
        }
    }

    @Override
    public CompletionQueue createCompletionQueue(int capacity, Runnable notification) throws RdmaException {
        synchronized (making) {
            checkOpen();
            VerbsCompletionQueue made = VerbsCompletionQueue.create(
                this, capacity, cookies.incrementAndGet(), channel, notification);
            completionQueues.put(made.cookie(), made);
            return made;
        }
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(ProtectionDomain pd, int capacity) throws RdmaException {
        synchronized (making) {
            checkOpen();
            VerbsSharedReceiveQueue made = VerbsSharedReceiveQueue.create(own(pd), capacity);
            sharedReceiveQueues.add(made);
            return made;
        }
    }

    @Override
    public CmEventChannel createEventChannel() throws RdmaException {
        synchronized (making) {
            checkOpen();
            VerbsEventChannel made = new VerbsEventChannel(this);
            eventChannels.add(made);
            return made;
        }
    }

    /** Makes a queue pair in RESET for an id. */
    VerbsQueuePair createQueuePair(QueuePairSpec spec, VerbsCmId id) throws RdmaException {
        VerbsProtectionDomain pd = own(spec.pd());
        VerbsCompletionQueue sendQueue = own(spec.sendQueue());
        VerbsCompletionQueue receiveQueue = own(spec.receiveQueue());
        Optional<VerbsSharedReceiveQueue> shared = Optional.empty();
        if (spec.sharedReceiveQueue().isPresent()) {
            shared = Optional.of(own(spec.sharedReceiveQueue().get(), pd));
        }
        checkDepth(spec.maxSendWorkRequests());
        checkDepth(spec.maxReceiveWorkRequests());
        synchronized (making) {
            checkOpen();
            VerbsQueuePair made = VerbsQueuePair.create(pd, sendQueue, receiveQueue, shared, spec);
            queuePairs.put(made.pointer(), made);
            ownersOfQueuePairs.put(made.pointer(), id);
            if (!sendQueue.attach(made) || !receiveQueue.attach(made)) {
                made.close();
                throw new RdmaException("the completion queue is closed");
            }
            return made;
        }
    }

    private void checkDepth(int workRequests) throws RdmaException {
        int most = attributes().maxQueuePairWorkRequests();
        if (workRequests < 0 || workRequests > most) {
            throw new RdmaException(name + ": a queue of " + workRequests + " work requests is not in 0.." + most);
        }
    }

    private void checkOpen() throws RdmaException {
        if (closed) {
            throw new RdmaException(name + " is closed");
        }
    }

    private VerbsProtectionDomain own(ProtectionDomain pd) throws RdmaException {
        if (pd instanceof VerbsProtectionDomain own && own.device() == this) {
            return own;
        }
        throw new RdmaException("the protection domain is not of " + name);
    }

    private VerbsCompletionQueue own(CompletionQueue queue) throws RdmaException {
        if (queue instanceof VerbsCompletionQueue own && own.device() == this) {
            return own;
        }
        throw new RdmaException("the completion queue is not of " + name);
    }

    private VerbsSharedReceiveQueue own(SharedReceiveQueue queue, VerbsProtectionDomain pd) throws RdmaException {
        if (queue instanceof VerbsSharedReceiveQueue own && own.pd() == pd) {
            return own;
        }
        throw new RdmaException("the shared receive queue is not of the protection domain");
    }

    // ---- what has been closed ----

    void closed(VerbsEventChannel gone) {
        eventChannels.remove(gone);
    }

    void closed(VerbsQueuePair gone) {
        queuePairs.remove(gone.pointer());
        ownersOfQueuePairs.remove(gone.pointer());
    }

    void closed(VerbsSharedReceiveQueue gone) {
        sharedReceiveQueues.remove(gone);
    }

    void closed(VerbsCompletionQueue gone) {
        completionQueues.remove(gone.cookie());
    }

    void closed(VerbsMemoryRegion gone) {
        memoryRegions.remove(gone);
    }

    void closed(VerbsProtectionDomain gone) {
        protectionDomains.remove(gone);
    }

    // ---- events of the device ----

    private void fetchCompletionEvents() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment queue = arena.allocate(8, 8);
            MemorySegment cookie = arena.allocate(8, 8);
            while (Ibverbs.getCqEvent(channel, queue, cookie) == 0) {
                Ibverbs.ackCqEvent(queue.get(ValueLayout.JAVA_LONG, 0));
                VerbsCompletionQueue signalled = completionQueues.get(cookie.get(ValueLayout.JAVA_LONG, 0));
                if (signalled != null) {
                    signalled.signalled();
                }
            }
        }
    }

    /** Has the completion thread notify the owner of a queue as if an event had come. */
    void signal(VerbsCompletionQueue queue) {
        completions.execute(queue::signalled);
    }

    Optional<VerbsQueuePair> queuePair(long pointer) {
        return Optional.ofNullable(queuePairs.get(pointer));
    }

    Optional<VerbsCmId> ownerOf(long queuePair) {
        return Optional.ofNullable(ownersOfQueuePairs.get(queuePair));
    }

    /** A completion queue or shared receive queue has failed: its queue pairs end, and their owners look. */
    void queueFailed(long pointer) {
        for (VerbsQueuePair queuePair : queuePairs.values()) {
            if (queuePair.uses(pointer)) {
                queuePair.moveToError();
                signal(queuePair.sendQueue());
                signal(queuePair.receiveQueue());
            }
        }
    }

    /** The device has failed: all its queue pairs are in error, and their owners look. */
    void failed() {
        queuePairs.values().forEach(VerbsQueuePair::failed);
        completionQueues.values().forEach(this::signal);
    }

    @Override
    public List<Counter> counters() {
        long ids = eventChannels.stream().mapToLong(VerbsEventChannel::openIds).sum();
        List<Counter> all = new ArrayList<>(asyncEvents.counters());
        all.add(new Counter("open.queue-pairs", queuePairs.size()));
        all.add(new Counter("open.completion-queues", completionQueues.size()));
        all.add(new Counter("open.shared-receive-queues", sharedReceiveQueues.size()));
        all.add(new Counter("open.memory-regions", memoryRegions.size()));
        all.add(new Counter("open.protection-domains", protectionDomains.size()));
        all.add(new Counter("open.event-channels", eventChannels.size()));
        all.add(new Counter("open.cm-ids", ids));
        return List.copyOf(all);
    }

    /** Closes what is still open, then the device. Idempotent. */
    void close() {
        synchronized (making) {
            if (closed) {
                return;
            }
            closed = true;
        }
        List<AutoCloseable> rest = new ArrayList<>(queuePairs.values());
        rest.addAll(eventChannels);
        rest.addAll(sharedReceiveQueues);
        rest.addAll(completionQueues.values());
        rest.addAll(memoryRegions);
        rest.addAll(protectionDomains);
        rest.forEach(this::closeQuietly);
        asynchronous.stop();
        completions.stop();
        Ibverbs.destroyCompChannel(channel);
        closeQuietly(context::close);
    }

    private void closeQuietly(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            LOG.warn("{}: closing goes on after a fault", name, e);
        }
    }

    @Override
    public String toString() {
        return name + " at " + address.getHostAddress();
    }
}
