package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.cm.CmConnection;
import io.jsrpt.rdma.cm.CmEngine;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/** An id: commands go to the network thread, which owns the connection. */
final class RoceCmId implements CmId {
    private final RoceDevice device;
    private final NetworkThread network;
    private final ConnectionManager manager;
    private final RoceEventChannel channel;
    private final long number;
    private final Gid remote;
    private final ServiceId service;
    private final AtomicBoolean destroyed = new AtomicBoolean();
    private volatile Optional<CmConnection> connection;
    private volatile Optional<QpEngine> queuePair = Optional.empty();

    RoceCmId(
            RoceDevice device,
            NetworkThread network,
            ConnectionManager manager,
            RoceEventChannel channel,
            long number,
            Gid remote,
            ServiceId service,
            Optional<CmConnection> connection) {
        this.device = device;
        this.network = network;
        this.manager = manager;
        this.channel = channel;
        this.number = number;
        this.remote = remote;
        this.service = service;
        this.connection = connection;
    }

    /** The id behind the interface: a provider is given its own ids only. */
    static RoceCmId of(CmId id) {
        if (id instanceof RoceCmId own) {
            return own;
        }
        throw new IllegalArgumentException("not an id of this provider: " + id);
    }

    RoceEventChannel channel() {
        return channel;
    }

    /** The engine's handle; empty for a listener. */
    Optional<CmConnection> connection() {
        return connection;
    }

    void setConnection(CmConnection made) {
        connection = Optional.of(made);
    }

    Optional<QpEngine> queuePair() {
        return queuePair;
    }

    boolean destroyed() {
        return destroyed.get();
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public Gid local() {
        return network.gid();
    }

    @Override
    public Gid remote() {
        return remote;
    }

    @Override
    public ServiceId service() {
        return service;
    }

    @Override
    public OptionalInt remoteQueuePair() {
        return connection.map(CmConnection::remoteQueuePair).orElseGet(OptionalInt::empty);
    }

    @Override
    public QueuePair createQueuePair(QueuePairSpec spec) throws RdmaException {
        usable();
        if (queuePair.isPresent()) {
            throw new RdmaException("id " + number + " has a queue pair already");
        }
        RoceQueuePair made = device.createQueuePair(spec);
        queuePair = Optional.of(made.engine());
        return made;
    }

    @Override
    public void accept(ConnectionParameters parameters, byte[] privateData) throws RdmaException {
        CmConnection c = usable();
        int qp = connectable(privateData, CmEngine.MAX_ACCEPT_PRIVATE_DATA);
        byte[] copy = privateData.clone();
        network.execute(() -> manager.engine().accept(c, qp, parameters, copy));
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        CmConnection c = usable();
        checkLength(privateData, CmEngine.MAX_REJECT_PRIVATE_DATA);
        byte[] copy = privateData.clone();
        network.execute(() -> manager.engine().reject(c, reason, copy));
    }

    @Override
    public void connect(ConnectionParameters parameters, byte[] privateData) throws RdmaException {
        CmConnection c = usable();
        int qp = connectable(privateData, CmEngine.maxConnectPrivateData(service));
        byte[] copy = privateData.clone();
        network.execute(() -> manager.engine().connect(c, qp, parameters, copy));
    }

    @Override
    public void disconnect() {
        CmConnection c = usable();
        network.execute(() -> manager.engine().disconnect(c));
    }

    @Override
    public void destroy() {
        if (!markDestroyed()) {
            throw new IllegalStateException("id " + number + " was destroyed before");
        }
        network.release("connection id", () -> manager.destroy(this));
    }

    /** False when it was marked before. */
    boolean markDestroyed() {
        return destroyed.compareAndSet(false, true);
    }

    private CmConnection usable() {
        if (destroyed.get()) {
            throw new IllegalStateException("id " + number + " was destroyed");
        }
        return connection.orElseThrow(() -> new IllegalStateException("id " + number + " only listens"));
    }

    private int connectable(byte[] privateData, int max) throws RdmaException {
        checkLength(privateData, max);
        if (!network.running()) {
            throw new RdmaException(device.name() + " is closed");
        }
        return queuePair
            .orElseThrow(() -> new RdmaException("id " + number + " has no queue pair"))
            .number();
    }

    private static void checkLength(byte[] privateData, int max) {
        if (privateData.length > max) {
            throw new IllegalArgumentException(privateData.length + " bytes of private data, at most " + max);
        }
    }

    @Override
    public String toString() {
        return "id " + number + " (" + service + ", peer " + remote + ")";
    }
}
