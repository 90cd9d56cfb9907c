package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.ServiceId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The engine's handle of one connection. What it holds belongs to the engine's thread; the public methods may be
 * called from any thread.
 */
public final class CmConnection {
    /** States (IBTA volume 1, 12.9.5 and 12.9.6). They only go down this list. */
    enum State {
        IDLE,
        REQ_SENT,
        REQ_RECEIVED,
        REP_SENT,
        ESTABLISHED,
        DREQ_SENT,
        /** Ended, and remembered, so that datagrams still under way meet the right answer. */
        TIMEWAIT,
        /** Ended and forgotten; only the owner still holds it. */
        CLOSED;

        /** The states that may follow. */
        Set<State> next() {
            return switch (this) {
                case IDLE -> EnumSet.of(REQ_SENT, REQ_RECEIVED, CLOSED);
                case REQ_SENT -> EnumSet.of(ESTABLISHED, CLOSED);
                case REQ_RECEIVED -> EnumSet.of(REP_SENT, TIMEWAIT, CLOSED);
                case REP_SENT -> EnumSet.of(ESTABLISHED, DREQ_SENT, TIMEWAIT, CLOSED);
                case ESTABLISHED -> EnumSet.of(DREQ_SENT, TIMEWAIT);
                case DREQ_SENT -> EnumSet.of(TIMEWAIT, CLOSED);
                case TIMEWAIT -> EnumSet.of(CLOSED);
                case CLOSED -> EnumSet.noneOf(State.class);
            };
        }
    }

    private static final int UNKNOWN = -1;
    private static final byte[] NOTHING = {};

    private final int localCommId;
    private final Gid remote;
    private final ServiceId service;
    private volatile int localQpn = UNKNOWN;
    private volatile int remoteQpn = UNKNOWN;

    /** Who gets the events; empty only between the making of a passive connection and that of its id. */
    private Optional<CmId> id = Optional.empty();

    State state = State.IDLE;
    long transactionId;
    int remoteCommId;

    /** The owner has destroyed the id: no event comes any more. */
    boolean quiet;

    /** Passive side: the request that began it. */
    Optional<CmRequest> request = Optional.empty();

    /** What this side offered or, once the peer's is known, what both agreed on. */
    Optional<ConnectionParameters> parameters = Optional.empty();

    PathMtu pathMtu = PathMtu.MTU_256;
    /** What this side tells the peer to begin its requests with: a datagram names the number of its receiver. */
    int startingPsn;

    /** The transport timeout, also the length of time-wait. */
    int ackTimeout;

    /** The datagram that waits for an answer. */
    byte[] outstanding = NOTHING;

    int retriesLeft;
    long retryIntervalNanos;

    /** How many more times the peer, or the owner, may ask for more time. */
    int extensionsLeft = 16;

    /** Active side: the RTU, for duplicate REPs. Passive side: the REJ, for duplicate REQs. */
    byte[] lastReply = NOTHING;

    /** Valid while {@link #timed}. */
    long deadline;

    boolean timed;

    CmConnection(int localCommId, Gid remote, ServiceId service) {
        this.localCommId = localCommId;
        this.remote = remote;
        this.service = service;
    }

    /** The local communication id: unique within the engine, for logs. */
    public int localCommId() {
        return localCommId;
    }

    /** The peer's port. */
    public Gid remote() {
        return remote;
    }

    /** The service that was asked for. */
    public ServiceId service() {
        return service;
    }

    /** This side's queue pair number, once it was given to accept or connect. */
    public OptionalInt localQueuePair() {
        int n = localQpn;
        return n == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(n);
    }

    /** The peer's queue pair number, once the peer has said it. */
    public OptionalInt remoteQueuePair() {
        int n = remoteQpn;
        return n == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(n);
    }

    CmId id() {
        return id.orElseThrow();
    }

    void setId(CmId value) {
        id = Optional.of(value);
    }

    void setLocalQpn(int value) {
        localQpn = value;
    }

    void setRemoteQpn(int value) {
        remoteQpn = value;
    }

    boolean isRemoteQpn(int value) {
        return remoteQpn == value;
    }

    boolean hasLastReply() {
        return lastReply.length != 0;
    }

    /** Whether a datagram that names both ids is of this connection. */
    boolean isBetween(Gid peer, int peersCommId) {
        return remote.equals(peer) && remoteCommId == peersCommId;
    }

    /** Whether a REQ is the one that began this connection, come again. */
    boolean beganWith(long tid, CmRequest other) {
        return transactionId == tid
                && request.filter(r -> r.localQpn() == other.localQpn()
                                && r.startingPsn() == other.startingPsn()
                                && r.serviceId() == other.serviceId()
                                && Arrays.equals(r.privateData(), other.privateData()))
                        .isPresent();
    }

    @Override
    public String toString() {
        return "cm connection " + Integer.toHexString(localCommId) + " with " + remote + " for " + service + ": "
                + state;
    }
}
