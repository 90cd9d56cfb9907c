package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.cm.CmConnection.State;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What both sides of the engine share: the tables of connections, their timers, and the only way to change a state. */
final class CmCore {
    static final byte[] NO_DATA = {};

    private static final int PSN_LIMIT = 1 << 24;

    /** A peer's number, of a communication id or of a queue pair. */
    private record PeerKey(Gid peer, int number) {}

    final CmSettings settings;
    final CmSink sink;
    final RandomGenerator random;
    private final LongSupplier nanoTime;
    private final int transactionHigh;

    private final Map<ServiceId, CmId> listeners = new HashMap<>();
    private final Map<Integer, CmConnection> byLocalCommId = new HashMap<>();
    private final Map<PeerKey, CmConnection> byRemoteCommId = new HashMap<>();
    private final Map<PeerKey, CmConnection> byRemoteQpn = new HashMap<>();
    private final LinkedHashSet<CmConnection> lingering = new LinkedHashSet<>();
    private final TreeSet<CmConnection> timers;
    private int halfOpen;

    CmCore(CmSettings settings, CmSink sink, LongSupplier nanoTime, RandomGenerator random) {
        this.settings = settings;
        this.sink = sink;
        this.nanoTime = nanoTime;
        this.random = random;
        this.transactionHigh = random.nextInt();
        // nanoTime may wrap, so deadlines are compared by their difference
        Comparator<CmConnection> byDeadline = (a, b) -> Long.signum(a.deadline - b.deadline);
        this.timers = new TreeSet<>(byDeadline.thenComparingInt(CmConnection::localCommId));
    }

    /**
     * How long an exponent stands for, kept between 17 ms (12), lest a peer ask for a storm of repetitions, and 68.7 s
     * (24), lest its mistake hold memory for hours.
     */
    static long nanos(int exponent) {
        return 4_096L << Math.clamp(exponent, 12, 24);
    }

    Map<ServiceId, CmId> listeners() {
        return listeners;
    }

    CmConnection create(Gid remote, ServiceId service) {
        int commId;
        do {
            commId = random.nextInt();
        } while (commId == 0 || byLocalCommId.containsKey(commId));
        CmConnection c = new CmConnection(commId, remote, service);
        byLocalCommId.put(commId, c);
        return c;
    }

    int randomPsn() {
        return random.nextInt(PSN_LIMIT);
    }

    /** A transaction id for a message that begins an exchange. */
    long newTransactionId(CmConnection c) {
        return (long) transactionHigh << 32 | (c.localCommId() & 0xffff_ffffL);
    }

    Optional<CmConnection> byLocalCommId(int commId) {
        return Optional.ofNullable(byLocalCommId.get(commId));
    }

    Optional<CmConnection> byRemoteCommId(Gid peer, int commId) {
        return Optional.ofNullable(byRemoteCommId.get(new PeerKey(peer, commId)));
    }

    Optional<CmConnection> byRemoteQpn(Gid peer, int qpn) {
        return Optional.ofNullable(byRemoteQpn.get(new PeerKey(peer, qpn)));
    }

    /** The connection that a datagram names by both ids. */
    Optional<CmConnection> find(Gid peer, int localCommId, int remoteCommId) {
        return byLocalCommId(localCommId).filter(c -> c.isBetween(peer, remoteCommId));
    }

    /** Enters what the peer has told of itself into the tables; callers have made sure that the places are free. */
    void setRemote(CmConnection c, int remoteCommId, int remoteQpn) {
        c.remoteCommId = remoteCommId;
        c.setRemoteQpn(remoteQpn);
        byRemoteCommId.put(new PeerKey(c.remote(), remoteCommId), c);
        byRemoteQpn.put(new PeerKey(c.remote(), remoteQpn), c);
    }

    boolean halfOpenIsFull() {
        return halfOpen >= settings.maxHalfOpen();
    }

    int size() {
        return byLocalCommId.size();
    }

    int lingering() {
        return lingering.size();
    }

    List<CmConnection> all() {
        return List.copyOf(byLocalCommId.values());
    }

    /** The only place where a state changes. */
    void move(CmConnection c, State to) {
        State from = c.state;
        if (!from.next().contains(to)) {
            throw new IllegalStateException(c + " cannot become " + to);
        }
        halfOpen += (isHalfOpen(to) ? 1 : 0) - (isHalfOpen(from) ? 1 : 0);
        c.state = to;
        if (to == State.DREQ_SENT || to == State.TIMEWAIT || to == State.CLOSED) {
            // a peer may use the queue pair number again from now on
            c.remoteQueuePair().ifPresent(qpn -> byRemoteQpn.remove(new PeerKey(c.remote(), qpn), c));
        }
        if (to == State.CLOSED) {
            disarm(c);
            lingering.remove(c);
            byLocalCommId.remove(c.localCommId(), c);
            byRemoteCommId.remove(new PeerKey(c.remote(), c.remoteCommId), c);
        } else if (to == State.TIMEWAIT) {
            arm(c, nanos(c.ackTimeout));
        }
        trackLingering(c);
    }

    /** The owner has let go: no more events. */
    void silence(CmConnection c) {
        c.quiet = true;
        trackLingering(c);
    }

    /** Time-wait is over, or cut short. */
    void exitTimewait(CmConnection c) {
        boolean orderly = c.state == State.TIMEWAIT;
        move(c, State.CLOSED);
        if (orderly) {
            emit(c, new CmEvent.TimewaitExit(c.id()));
        }
    }

    /** Connections that no one looks after are bounded: beyond the limit the oldest are forgotten early. */
    private void trackLingering(CmConnection c) {
        if (c.state == State.TIMEWAIT || (c.quiet && c.state == State.DREQ_SENT)) {
            lingering.add(c);
            while (lingering.size() > settings.maxLingering()) {
                exitTimewait(lingering.getFirst());
            }
        }
    }

    private static boolean isHalfOpen(State s) {
        return s == State.REQ_RECEIVED || s == State.REP_SENT;
    }

    void emit(CmConnection c, CmEvent event) {
        if (!c.quiet) {
            sink.event(event);
        }
    }

    void send(CmConnection c, byte[] mad) {
        sink.send(c.remote(), mad);
    }

    /** Sends a datagram and repeats it until it is answered, or the retries are used up. */
    void sendReliably(CmConnection c, byte[] mad, int retries, long intervalNanos) {
        send(c, mad);
        expectAnswer(c, mad, retries, intervalNanos);
    }

    /** The same for a datagram whose first sending is one interval away. */
    void expectAnswer(CmConnection c, byte[] mad, int retries, long intervalNanos) {
        c.outstanding = mad;
        c.retriesLeft = retries;
        c.retryIntervalNanos = intervalNanos;
        arm(c, intervalNanos);
    }

    void arm(CmConnection c, long delayNanos) {
        disarm(c);
        c.deadline = nanoTime.getAsLong() + delayNanos;
        c.timed = true;
        timers.add(c);
    }

    void disarm(CmConnection c) {
        if (c.timed) {
            timers.remove(c);
            c.timed = false;
        }
    }

    /** Takes a connection whose deadline has passed. */
    Optional<CmConnection> pollExpired() {
        if (timers.isEmpty() || timers.first().deadline - nanoTime.getAsLong() > 0) {
            return Optional.empty();
        }
        CmConnection c = timers.pollFirst();
        c.timed = false;
        return Optional.of(c);
    }

    long nanosToNextDeadline() {
        return timers.isEmpty() ? Long.MAX_VALUE : Math.max(0, timers.first().deadline - nanoTime.getAsLong());
    }
}
