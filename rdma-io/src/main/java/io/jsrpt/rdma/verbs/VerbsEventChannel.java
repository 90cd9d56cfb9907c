package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.verbs.VerbsCmId.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event channel of the library's connection manager, its ids, and the thread that takes its events. One lock is held
 * over each call that uses an id and over taking and acknowledging an event: so no call touches an id that another
 * thread destroys, and a destroy call finds all events acknowledged.
 */
final class VerbsEventChannel implements CmEventChannel {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsEventChannel.class);

    /** Requests that wait for their turn; the kernel rejects those above. */
    private static final int BACKLOG = 256;

    private static final int RESOLVE_MILLIS = 5_000;
    private static final Gid NO_ONE = new Gid(0, 0);

    private final VerbsDevice device;
    private final long pointer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, VerbsCmId> ids = new HashMap<>();
    private final Queue<CmEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Optional<Runnable>> armed = new AtomicReference<>(Optional.empty());
    private final EventThread thread;
    private boolean closed;

    VerbsEventChannel(VerbsDevice device) throws RdmaException {
        this.device = device;
        pointer = Rdmacm.createEventChannel();
        if (pointer == 0) {
            throw Errno.failed("rdma_create_event_channel", Errno.last());
        }
        try {
            int descriptor = Raw.getInt(pointer + Layouts.EventChannel.FD);
            thread = new EventThread(device.name() + "-cm", descriptor, this::fetch);
        } catch (RdmaException e) {
            Rdmacm.destroyEventChannel(pointer);
            throw e;
        }
    }

    VerbsDevice device() {
        return device;
    }

    int openIds() {
        lock.lock();
        try {
            return ids.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CmId listen(ServiceId service) throws RdmaException {
        int port = port(service);
        lock.lock();
        try {
            long id = createBound(port);
            if (Rdmacm.listen(id, BACKLOG) != 0) {
                int errno = Errno.last();
                Rdmacm.destroyId(id);
                throw Errno.failed(where(port) + ": rdma_listen", errno);
            }
            return added(new VerbsCmId(
                this, device.nextNumber(), id, Kind.LISTENER, device.gid(), NO_ONE, service));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CmId createId(Gid remote, ServiceId service) throws RdmaException {
        port(service);
        lock.lock();
        try {
            long id = createBound(0);
            return added(new VerbsCmId(
                this, device.nextNumber(), id, Kind.ACTIVE, device.gid(), remote, service));
        } finally {
            lock.unlock();
        }
    }

    private static int port(ServiceId service) throws RdmaException {
        return service.rdmaTcpPort().orElseThrow(() -> new RdmaException("the provider verbs has the service ids of"
            + " RDMA/CM ports only, not " + service));
    }

    private String where(int port) {
        return device.name() + " (" + device.address().getHostAddress() + ") port " + port;
    }

    private VerbsCmId added(VerbsCmId id) {
        ids.put(id.pointer(), id);
        return id;
    }

    private long createBound(int port) throws RdmaException {
        if (closed) {
            throw new RdmaException("the event channel is closed");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(8, 8);
            if (Rdmacm.createId(pointer, made) != 0) {
                throw Errno.failed("rdma_create_id", Errno.last());
            }
            long id = made.get(ValueLayout.JAVA_LONG, 0);
            if (Rdmacm.bindAddr(id, SocketAddress.of(arena, device.address(), port)) != 0) {
                int errno = Errno.last();
                Rdmacm.destroyId(id);
                throw Errno.failed(where(port) + ": rdma_bind_addr", errno);
            }
            return id;
        }
    }

    // ---- what ids do ----

    QueuePair createQueuePair(VerbsCmId id, QueuePairSpec spec) throws RdmaException {
        lock.lock();
        try {
            checkOpen(id);
            if (id.queuePair().isPresent()) {
                throw new RdmaException("id " + id.number() + " has a queue pair already");
            }
            VerbsQueuePair made = device.createQueuePair(spec, id);
            try {
                QpAttributes.toInit(id.pointer(), made);
            } catch (RdmaException e) {
                made.close();
                throw e;
            }
            id.setQueuePair(made);
            return made;
        } finally {
            lock.unlock();
        }
    }

    void accept(VerbsCmId id, ConnectionParameters own, byte[] privateData) throws RdmaException {
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            checkOpen(id);
            VerbsQueuePair queuePair = queuePair(id);
            ConnectionParameters within = within(own, id.parameters());
            QpAttributes.toReadyToSend(
                id.pointer(), queuePair, within.responderResources(), within.initiatorDepth());
            MemorySegment parameters = CmMessage.parameters(arena, within, queuePair.number(), privateData);
            call("rdma_accept", () -> Rdmacm.accept(id.pointer(), parameters));
        } catch (RdmaException e) {
            id.queuePair().ifPresent(VerbsQueuePair::moveToError);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private ConnectionParameters within(ConnectionParameters own, ConnectionParameters peer) {
        return new ConnectionParameters(
            Math.min(Math.min(own.responderResources(), peer.initiatorDepth()),
                device.attributes().maxResponderResources()),
            Math.min(Math.min(own.initiatorDepth(), peer.responderResources()),
                device.attributes().maxInitiatorDepth()),
            own.retryCount(),
            own.rnrRetryCount(),
            own.flowControl(),
            own.sharedReceiveQueue());
    }

    void reject(VerbsCmId id, byte[] privateData) throws RdmaException {
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            checkOpen(id);
            MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, privateData);
            call("rdma_reject", () -> Rdmacm.reject(id.pointer(), data));
        } finally {
            lock.unlock();
        }
    }

    /** Begins with the address; the thread goes on from there, see {@link #resolved}. */
    void connect(VerbsCmId id, ConnectionParameters own, byte[] privateData) throws RdmaException {
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            checkOpen(id);
            queuePair(id);
            ConnectionParameters most = new ConnectionParameters(255, 255, 7, 7, true, false);
            id.setParameters(within(own, most));
            id.setPrivateData(privateData.clone());
            MemorySegment from = SocketAddress.of(arena, device.address(), 0);
            MemorySegment to = SocketAddress.of(arena, id.remote().toAddress(), port(id.service()));
            call("rdma_resolve_addr", () -> Rdmacm.resolveAddr(id.pointer(), from, to, RESOLVE_MILLIS));
        } finally {
            lock.unlock();
        }
    }

    void disconnect(VerbsCmId id) {
        lock.lock();
        try {
            checkOpen(id);
            if (id.queuePair().isEmpty() || id.remoteQueuePair().isEmpty()) {
                return;
            }
            id.queuePair().get().moveToError();
            if (Rdmacm.disconnect(id.pointer()) != 0) {
                LOG.debug("{}: nothing to disconnect: {}", id, Errno.text(Errno.last()));
            }
        } finally {
            lock.unlock();
        }
    }

    void destroy(VerbsCmId id) {
        lock.lock();
        try {
            if (id.destroyed()) {
                throw new IllegalStateException("id " + id.number() + " was destroyed before");
            }
            free(id);
        } finally {
            lock.unlock();
        }
    }

    private void free(VerbsCmId id) {
        id.markDestroyed();
        ids.remove(id.pointer());
        if (Rdmacm.destroyId(id.pointer()) != 0) {
            LOG.warn("{}: rdma_destroy_id: {}", id, Errno.text(Errno.last()));
        }
    }

    /** An event of the device says that data came before the last message of the handshake. */
    void communicationEstablished(VerbsCmId id, int event) {
        lock.lock();
        try {
            if (!id.destroyed()) {
                Rdmacm.notify(id.pointer(), event);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void checkOpen(VerbsCmId id) {
        if (id.destroyed()) {
            throw new IllegalStateException("id " + id.number() + " was destroyed");
        }
    }

    private static VerbsQueuePair queuePair(VerbsCmId id) throws RdmaException {
        return id.queuePair().orElseThrow(() -> new RdmaException("id " + id.number() + " has no queue pair"));
    }

    private static void call(String name, IntSupplier call) throws RdmaException {
        if (call.getAsInt() != 0) {
            throw Errno.failed(name, Errno.last());
        }
    }

    // ---- events, by this channel's thread ----

    private void fetch() {
        lock.lock();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(8, 8);
            while (!closed && Rdmacm.getCmEvent(pointer, event) == 0) {
                CmMessage message = CmMessage.copy(event.get(ValueLayout.JAVA_LONG, 0));
                Rdmacm.ackCmEvent(event.get(ValueLayout.JAVA_LONG, 0));
                onMessage(message);
            }
        } finally {
            lock.unlock();
        }
        if (!events.isEmpty()) {
            fire();
        }
    }

    private void onMessage(CmMessage message) {
        if (message.type() == Rdmacm.EVENT_CONNECT_REQUEST) {
            onRequest(message);
            return;
        }
        VerbsCmId id = ids.get(message.id());
        if (id == null) {
            LOG.debug("event {} of an id that is gone", message.type());
            return;
        }
        switch (message.type()) {
            case Rdmacm.EVENT_ADDR_RESOLVED ->
                resolved(id, "rdma_resolve_route", () -> Rdmacm.resolveRoute(id.pointer(), RESOLVE_MILLIS));
            case Rdmacm.EVENT_ROUTE_RESOLVED -> resolved(id, "rdma_connect", () -> sendRequest(id));
            case Rdmacm.EVENT_ADDR_ERROR -> failed(id, "the peer's address is not found", message.status());
            case Rdmacm.EVENT_ROUTE_ERROR -> failed(id, "there is no route to the peer", message.status());
            case Rdmacm.EVENT_CONNECT_RESPONSE -> onResponse(id, message);
            case Rdmacm.EVENT_CONNECT_ERROR -> failed(id, "the connection failed", message.status());
            case Rdmacm.EVENT_UNREACHABLE -> ended(id, new CmEvent.Unreachable(id));
            case Rdmacm.EVENT_REJECTED ->
                ended(id, new CmEvent.Rejected(id, message.status(), message.privateData()));
            case Rdmacm.EVENT_ESTABLISHED ->
                events.add(new CmEvent.Established(id, id.parameters(), message.privateData()));
            case Rdmacm.EVENT_DISCONNECTED -> onDisconnected(id);
            case Rdmacm.EVENT_DEVICE_REMOVAL -> ended(id, new CmEvent.DeviceRemoved(id));
            case Rdmacm.EVENT_ADDR_CHANGE -> events.add(new CmEvent.AddressChanged(id));
            case Rdmacm.EVENT_TIMEWAIT_EXIT -> events.add(new CmEvent.TimewaitExit(id));
            default -> LOG.warn("{}: the connection manager has sent an unknown event {}", id, message.type());
        }
    }

    private void onRequest(CmMessage message) {
        VerbsCmId listener = ids.get(message.listener());
        if (listener == null) {
            Rdmacm.destroyId(message.id());
            return;
        }
        QpAttributes.Path path;
        try {
            path = QpAttributes.path(message.id());
        } catch (RdmaException e) {
            LOG.warn("a connection request on {} is dropped", device.name(), e);
            Rdmacm.destroyId(message.id());
            return;
        }
        VerbsCmId id = added(new VerbsCmId(
            this,
            device.nextNumber(),
            message.id(),
            Kind.PASSIVE,
            SocketAddress.gid(message.id() + Layouts.CmIdStruct.SGID),
            SocketAddress.gid(message.id() + Layouts.CmIdStruct.DGID),
            listener.service()));
        id.setParameters(message.peer());
        id.setRemoteQueuePair(message.queuePair());
        events.add(new CmEvent.ConnectRequest(
            id,
            listener,
            message.peer(),
            message.privateData(),
            path.mtu(),
            device.context().partitionKey(path.port(), path.partitionKeyIndex())));
    }

    private void resolved(VerbsCmId id, String name, IntSupplier next) {
        if (next.getAsInt() != 0) {
            failed(id, name, -Errno.last());
        }
    }

    private int sendRequest(VerbsCmId id) {
        try (Arena arena = Arena.ofConfined()) {
            int number = id.queuePair().map(VerbsQueuePair::number).orElse(0);
            return Rdmacm.connect(
                id.pointer(), CmMessage.parameters(arena, id.parameters(), number, id.privateData()));
        }
    }

    private void onResponse(VerbsCmId id, CmMessage message) {
        try {
            id.setRemoteQueuePair(message.queuePair());
            ConnectionParameters own = within(id.parameters(), message.peer());
            QpAttributes.toReadyToSend(
                id.pointer(), queuePair(id), own.responderResources(), own.initiatorDepth());
            call("rdma_establish", () -> Rdmacm.establish(id.pointer()));
            events.add(new CmEvent.Established(id, message.peer(), message.privateData()));
        } catch (RdmaException e) {
            ended(id, new CmEvent.ConnectError(id, e.getMessage()));
        }
    }

    private void onDisconnected(VerbsCmId id) {
        ended(id, new CmEvent.Disconnected(id));
        // answers the peer's DREQ now, as its owner may have nothing more to say; without effect if there was none
        if (Rdmacm.disconnect(id.pointer()) != 0) {
            LOG.trace("{}: nothing to answer: {}", id, Errno.text(Errno.last()));
        }
    }

    private void failed(VerbsCmId id, String what, int status) {
        ended(id, new CmEvent.ConnectError(id, what + ": " + Errno.text(Math.abs(status))));
    }

    private void ended(VerbsCmId id, CmEvent event) {
        id.queuePair().ifPresent(VerbsQueuePair::moveToError);
        events.add(event);
    }

    // ---- the owner ----

    @Override
    public Optional<CmEvent> poll() {
        CmEvent event = events.poll();
        while (event != null && isDestroyed(event.id())) {
            event = events.poll();
        }
        return Optional.ofNullable(event);
    }

    private static boolean isDestroyed(CmId id) {
        return id instanceof VerbsCmId own && own.destroyed();
    }

    @Override
    public void arm(Runnable notification) {
        armed.set(Optional.of(notification));
        if (!events.isEmpty()) {
            fire();
        }
    }

    private void fire() {
        armed.getAndSet(Optional.empty()).ifPresent(Runnable::run);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        armed.set(Optional.empty());
        thread.stop();
        lock.lock();
        try {
            new ArrayList<>(ids.values()).forEach(this::free);
            Rdmacm.destroyEventChannel(pointer);
        } finally {
            lock.unlock();
        }
        events.clear();
        device.closed(this);
    }
}
