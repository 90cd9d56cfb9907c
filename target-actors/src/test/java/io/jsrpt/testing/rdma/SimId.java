package io.jsrpt.testing.rdma;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A connection's id, and the peer behind it. */
public final class SimId implements CmId {
    private static final ConnectionParameters AGREED = new ConnectionParameters(4, 4, 7, 7, true, false);

    private final SimEventChannel channel;
    private final Gid remote;
    private final ServiceId service;
    private final long number;
    private final Ledger.Entry entry;
    private final List<String> sent = new ArrayList<>();
    private Optional<SimQueuePair> queuePair = Optional.empty();
    private Optional<byte[]> answer = Optional.empty();
    private Phase phase = Phase.REQUESTED;
    private boolean touched;
    private boolean unansweredDreq;

    /** How far the connection is, as the provider knows it. */
    public enum Phase {
        REQUESTED,
        REPLIED,
        ESTABLISHED,
        GONE
    }

    SimId(SimEventChannel channel, Gid remote, ServiceId service) {
        this.channel = channel;
        this.remote = remote;
        this.service = service;
        this.number = channel.device().service().nextNumber();
        this.entry = ledger().opened("id " + number);
    }

    // The peer's side.

    /** What this side has sent: REP, REJ, DREQ, DREP, in order. */
    public List<String> sent() {
        synchronized (ledger()) {
            return List.copyOf(sent);
        }
    }

    /** The private data of the REP or the REJ. */
    public Optional<byte[]> answer() {
        synchronized (ledger()) {
            return answer;
        }
    }

    /** How far it is. */
    public Phase phase() {
        synchronized (ledger()) {
            return phase;
        }
    }

    /** Whether this side has destroyed it. */
    public boolean destroyed() {
        synchronized (ledger()) {
            return entry.gone();
        }
    }

    /** The queue pair, once it was created. */
    public Optional<SimQueuePair> queuePair() {
        synchronized (ledger()) {
            return queuePair;
        }
    }

    /** Whether the owner was told of a DREQ that it has not answered while it had the id. */
    public boolean unansweredDreq() {
        synchronized (ledger()) {
            return unansweredDreq;
        }
    }

    /** The peer's RTU. */
    public void rtu() {
        synchronized (ledger()) {
            if (phase == Phase.REPLIED) {
                phase = Phase.ESTABLISHED;
                queuePair.ifPresent(SimQueuePair::connected);
                tell(new CmEvent.Established(this, AGREED, new byte[0]));
            }
        }
    }

    /** The peer's REJ of the reply. */
    public void rejectReply() {
        end(new CmEvent.Rejected(this, CmEvent.Rejected.TIMEOUT, new byte[0]));
    }

    /** The peer does not answer the reply. */
    public void unreachable() {
        end(new CmEvent.Unreachable(this));
    }

    /** A fault of this side. */
    public void connectError() {
        end(new CmEvent.ConnectError(this, "simulated"));
    }

    /** The end of time-wait. */
    public void timewaitExit() {
        end(new CmEvent.TimewaitExit(this));
    }

    /** The peer's DREQ. */
    public void dreq() {
        end(new CmEvent.Disconnected(this));
    }

    /** The device goes away. */
    public void deviceRemoved() {
        end(new CmEvent.DeviceRemoved(this));
    }

    /** The address moves to another port. */
    public void addressChanged() {
        synchronized (ledger()) {
            tell(new CmEvent.AddressChanged(this));
        }
    }

    private void end(CmEvent event) {
        synchronized (ledger()) {
            phase = Phase.GONE;
            tell(event);
        }
    }

    private void tell(CmEvent event) {
        if (!entry.gone()) {
            channel.tell(event);
        }
    }

    private void send(String what) {
        sent.add(what);
        ledger().note(entry.name() + " " + what);
    }

    /** The event was taken. */
    void told(CmEvent event) {
        unansweredDreq |= event instanceof CmEvent.Disconnected;
    }

    // This side.

    @Override
    public long number() {
        return number;
    }

    @Override
    public RdmaDevice device() {
        use("device");
        return channel.device();
    }

    @Override
    public Gid local() {
        use("local");
        return channel.device().gid();
    }

    @Override
    public Gid remote() {
        use("remote");
        return remote;
    }

    @Override
    public ServiceId service() {
        return service;
    }

    @Override
    public OptionalInt remoteQueuePair() {
        use("remoteQueuePair");
        return OptionalInt.of(1);
    }

    @Override
    public QueuePair createQueuePair(QueuePairSpec spec) throws RdmaException {
        synchronized (ledger()) {
            use("createQueuePair");
            channel.device().faults().crash("create a queue pair");
            channel.device().faults().refuse("create a queue pair");
            SimQueuePair created = new SimQueuePair(this, spec);
            queuePair = Optional.of(created);
            return created;
        }
    }

    @Override
    public void accept(ConnectionParameters parameters, byte[] privateData) throws RdmaException {
        synchronized (ledger()) {
            use("accept");
            channel.device().faults().crash("accept");
            channel.device().faults().refuse("accept");
            if (phase != Phase.REQUESTED) {
                throw new RdmaException("the peer has given up");
            }
            phase = Phase.REPLIED;
            send("REP");
            answer = Optional.of(privateData);
        }
    }

    @Override
    public void reject(int reason, byte[] privateData) throws RdmaException {
        synchronized (ledger()) {
            use("reject");
            channel.device().faults().crash("reject");
            channel.device().faults().refuse("reject");
            if (phase != Phase.REQUESTED) {
                throw new RdmaException("there is nothing to reject");
            }
            phase = Phase.GONE;
            send("REJ " + reason);
            answer = Optional.of(privateData);
        }
    }

    @Override
    public void connect(ConnectionParameters parameters, byte[] privateData) throws RdmaException {
        throw new RdmaException("only the passive side is simulated");
    }

    @Override
    public void disconnect() {
        synchronized (ledger()) {
            use("disconnect");
            channel.device().faults().crash("disconnect");
            if (unansweredDreq) {
                unansweredDreq = false;
                send("DREP");
            } else if (phase == Phase.ESTABLISHED && !sent.contains("DREQ")) {
                send("DREQ");
            }
            queuePair.filter(SimQueuePair::isConnected).ifPresent(SimQueuePair::toError);
        }
    }

    @Override
    public void destroy() {
        synchronized (ledger()) {
            if (entry.destroyed(false)) {
                if (queuePair.isPresent() && queuePair.get().isOpen()) {
                    ledger().violation(entry.name() + ": destroyed before its queue pair");
                }
                channel.destroyed(this);
            }
        }
    }

    /** The event channel closes with this id still there. */
    void destroyByChannel() {
        if (touched) {
            ledger().violation(entry.name() + ": left to the event channel by an owner");
        }
        destroy();
    }

    private void use(String how) {
        synchronized (ledger()) {
            touched = true;
            entry.used(how);
        }
    }

    private Ledger ledger() {
        return channel.device().ledger();
    }

    SimDevice simDevice() {
        return channel.device();
    }

    @Override
    public String toString() {
        return "id " + number;
    }
}
