package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import java.util.Optional;
import java.util.OptionalInt;

/** An id of the library's connection manager. What it does is done by its event channel, under that one's lock. */
final class VerbsCmId implements CmId {
    private static final int MOST_REQUEST_DATA = 56;
    private static final int MOST_REPLY_DATA = 196;
    private static final int MOST_REJECT_DATA = 148;

    private final VerbsEventChannel channel;
    private final long number;
    private final long pointer;
    private final Kind kind;
    private final Gid local;
    private final Gid remote;
    private final ServiceId service;
    private volatile OptionalInt remoteQueuePair = OptionalInt.empty();
    private volatile boolean destroyed;
    /** Under the channel's lock. */
    private Optional<VerbsQueuePair> queuePair = Optional.empty();

    /** Passive side: what the request offers; active side: what is asked for. Under the channel's lock. */
    private Optional<ConnectionParameters> parameters = Optional.empty();

    /** Active side: what {@link #connect} sends along. Under the channel's lock. */
    private byte[] privateData = {};

    /** What an id is for. */
    enum Kind {
        LISTENER,
        PASSIVE,
        ACTIVE
    }

    VerbsCmId(VerbsEventChannel channel, long number, long pointer, Kind kind, Gid local, Gid remote,
            ServiceId service) {
        this.channel = channel;
        this.number = number;
        this.pointer = pointer;
        this.kind = kind;
        this.local = local;
        this.remote = remote;
        this.service = service;
    }

    long pointer() {
        return pointer;
    }

    boolean passive() {
        return kind == Kind.PASSIVE;
    }

    Optional<VerbsQueuePair> queuePair() {
        return queuePair;
    }

    void setQueuePair(VerbsQueuePair made) {
        queuePair = Optional.of(made);
    }

    /** For an id that was asked for or has asked. */
    ConnectionParameters parameters() {
        return parameters.orElseThrow(() -> new IllegalStateException("id " + number + " has no parameters"));
    }

    void setParameters(ConnectionParameters set) {
        parameters = Optional.of(set);
    }

    byte[] privateData() {
        return privateData;
    }

    void setPrivateData(byte[] data) {
        privateData = data;
    }

    void setRemoteQueuePair(int qp) {
        remoteQueuePair = OptionalInt.of(qp);
    }

    /** An event of the device says that data came before the last message of the handshake. */
    void communicationEstablished(int event) {
        channel.communicationEstablished(this, event);
    }

    boolean destroyed() {
        return destroyed;
    }

    void markDestroyed() {
        destroyed = true;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public RdmaDevice device() {
        return channel.device();
    }

    @Override
    public Gid local() {
        return local;
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
        return remoteQueuePair;
    }

    @Override
    public QueuePair createQueuePair(QueuePairSpec spec) throws RdmaException {
        connects();
        return channel.createQueuePair(this, spec);
    }

    @Override
    public void accept(ConnectionParameters own, byte[] data) throws RdmaException {
        connects();
        checkLength(data, MOST_REPLY_DATA);
        channel.accept(this, own, data);
    }

    /** The kernel lets a program reject for the consumer's own reason only; another one goes out as that. */
    @Override
    public void reject(int reason, byte[] data) throws RdmaException {
        connects();
        checkLength(data, MOST_REJECT_DATA);
        channel.reject(this, data);
    }

    @Override
    public void connect(ConnectionParameters own, byte[] data) throws RdmaException {
        connects();
        checkLength(data, MOST_REQUEST_DATA);
        channel.connect(this, own, data);
    }

    @Override
    public void disconnect() {
        connects();
        channel.disconnect(this);
    }

    @Override
    public void destroy() {
        channel.destroy(this);
    }

    private void connects() {
        if (destroyed) {
            throw new IllegalStateException("id " + number + " was destroyed");
        }
        if (kind == Kind.LISTENER) {
            throw new IllegalStateException("id " + number + " only listens");
        }
    }

    private static void checkLength(byte[] data, int most) {
        if (data.length > most) {
            throw new IllegalArgumentException("private data of " + data.length + " bytes is longer than " + most);
        }
    }

    @Override
    public String toString() {
        return "id " + number + " " + local + " to " + remote;
    }
}
