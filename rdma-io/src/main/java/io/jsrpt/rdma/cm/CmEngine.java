package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.ServiceId;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection manager of one port, as a state machine without threads, sockets or a clock of its own. One thread
 * calls it; it answers through a {@link CmSink}, within the call.
 *
 * <p>What must be done with it: every datagram of the class "communication management" goes to {@link #onMad};
 * {@link #onTimer} is called when {@link #nanosToNextDeadline} have passed (later is no error); {@link #established}
 * when data comes to a queue pair that is only ready to receive. The rest are the commands of {@link CmId}. A command
 * that comes too late, because the connection has ended meanwhile, does nothing: the event that tells so is on its way.
 *
 * <p>The events of one connection come in one of these orders, and nothing follows {@link #destroy}:
 *
 * <pre>
 * passive  ConnectRequest, [Established,] Disconnected, TimewaitExit
 *          ConnectRequest, one of: Rejected, Unreachable, ConnectError
 *          ConnectRequest, and no other when this side rejects
 * active   Established, Disconnected, TimewaitExit
 *          one of: Rejected, Unreachable, ConnectError
 * </pre>
 *
 * A DREQ is answered by the engine itself, at once and in every state; the owner need not disconnect for that.
 */
public final class CmEngine {
    /** The most private data of {@link #accept}, in bytes. */
    public static final int MAX_ACCEPT_PRIVATE_DATA = CmReply.PRIVATE_DATA_SIZE;

    /** The most private data of {@link #reject}, in bytes. */
    public static final int MAX_REJECT_PRIVATE_DATA = CmMessage.Rej.PRIVATE_DATA_SIZE;

    private static final Logger LOG = LoggerFactory.getLogger(CmEngine.class);

    private final CmCore core;
    private final Teardown teardown;
    private final PassiveSide passive;
    private final ActiveSide active;

    /**
     * Makes an engine without listeners or connections.
     *
     * @param nanoTime the clock, for example {@link System#nanoTime}
     * @param random where communication ids and packet sequence numbers come from; they should be hard to guess
     */
    public CmEngine(CmSettings settings, CmSink sink, LongSupplier nanoTime, RandomGenerator random) {
        core = new CmCore(settings, sink, nanoTime, random);
        teardown = new Teardown(core);
        passive = new PassiveSide(core, teardown);
        active = new ActiveSide(core, teardown);
    }

    /** The most private data of {@link #connect}, in bytes: 56 in the RDMA/CM's port space, else 92. */
    public static int maxConnectPrivateData(ServiceId service) {
        int header = service.rdmaTcpPort().isPresent() ? CmaHeader.SIZE : 0;
        return CmRequest.PRIVATE_DATA_SIZE - header;
    }

    /**
     * Takes requests for a service.
     *
     * @param listener comes back with each request
     * @return false when the service is taken
     */
    public boolean listen(ServiceId service, CmId listener) {
        return core.listeners().putIfAbsent(service, listener) == null;
    }

    /** Takes no more requests for a service; the connections that came from it live on. */
    public void endListen(ServiceId service) {
        core.listeners().remove(service);
    }

    /** A connection to ask a peer for; {@link #connect} sends the request. */
    public CmConnection create(CmId id, Gid remote, ServiceId service) {
        CmConnection c = core.create(remote, service);
        c.setId(id);
        return c;
    }

    /**
     * Active side: sends the REQ. The queue pair becomes ready to receive and to send when the REP comes.
     *
     * @param localQueuePair the number of this side's queue pair, in INIT
     * @param privateData at most {@link #maxConnectPrivateData}; the CMA header is put before it where one is due
     */
    public void connect(CmConnection c, int localQueuePair, ConnectionParameters parameters, byte[] privateData) {
        checkLength(privateData, maxConnectPrivateData(c.service()));
        active.connect(c, localQueuePair, parameters, privateData);
    }

    /**
     * Passive side: makes the queue pair ready to receive, then sends the REP. It becomes ready to send with the RTU.
     * The RDMA READ depths are capped by the request's.
     *
     * @param localQueuePair the number of this side's queue pair, in INIT
     * @param privateData at most {@link #MAX_ACCEPT_PRIVATE_DATA}
     */
    public void accept(CmConnection c, int localQueuePair, ConnectionParameters parameters, byte[] privateData) {
        checkLength(privateData, MAX_ACCEPT_PRIVATE_DATA);
        passive.accept(c, localQueuePair, parameters, privateData);
    }

    /**
     * Passive side: refuses the request (REJ).
     *
     * @param reason IBTA volume 1, 12.6.7.2
     * @param privateData at most {@link #MAX_REJECT_PRIVATE_DATA}
     */
    public void reject(CmConnection c, int reason, byte[] privateData) {
        checkLength(privateData, MAX_REJECT_PRIVATE_DATA);
        passive.reject(c, reason, privateData);
    }

    /**
     * Ends a connection that stands, or whose REP was sent: the queue pair goes to error, the peer gets a DREQ.
     * Without effect on any other.
     */
    public void disconnect(CmConnection c) {
        teardown.disconnect(c);
    }

    /** The owner lets go. The peer gets the REJ or DREQ that it is due; no event comes any more. Idempotent. */
    public void destroy(CmConnection c) {
        teardown.destroy(c);
    }

    /** Data came to the connection's queue pair: the RTU may be late or lost, the connection stands. */
    public void established(CmConnection c) {
        passive.establish(c, CmCore.NO_DATA);
    }

    /**
     * Takes a datagram. Nothing in it makes this throw.
     *
     * @param peer the port that it came from
     * @param mad 256 bytes, else it is dropped; not kept
     * @return false when it was dropped, since it is no datagram of the connection manager
     */
    public boolean onMad(Gid peer, byte[] mad) {
        switch (CmMessage.decode(mad)) {
            case CmMessage.Req req -> passive.onReq(peer, req);
            case CmMessage.Rtu rtu -> passive.onRtu(peer, rtu);
            case CmMessage.Rep rep -> active.onRep(peer, rep);
            case CmMessage.Mra mra -> active.onMra(peer, mra);
            case CmMessage.Rej rej -> teardown.onRej(peer, rej);
            case CmMessage.Dreq dreq -> teardown.onDreq(peer, dreq);
            case CmMessage.Drep drep -> teardown.onDrep(peer, drep);
            case CmMessage.SidrReq sidr -> core.sink.send(peer, sidr.encodeUnsupported());
            case CmMessage.Lap lap -> core.sink.send(peer, lap.encodeUnsupported());
            case CmMessage.Ignored ignored -> LOG.debug("{} from {}", ignored, peer);
            case CmMessage.Malformed bad -> {
                LOG.debug("dropped a datagram from {}: {}", peer, bad.reason());
                return false;
            }
        }
        return true;
    }

    /** Does what is due: repeats datagrams, gives up, ends time-waits. */
    public void onTimer() {
        for (Optional<CmConnection> due = core.pollExpired(); due.isPresent(); due = core.pollExpired()) {
            CmConnection c = due.get();
            switch (c.state) {
                case REQ_RECEIVED -> passive.onOwnerIsSlow(c);
                case REQ_SENT, REP_SENT, DREQ_SENT -> repeat(c);
                case TIMEWAIT -> core.exitTimewait(c);
                case IDLE, ESTABLISHED, CLOSED -> { }
            }
        }
    }

    private void repeat(CmConnection c) {
        if (c.retriesLeft == 0) {
            teardown.onRetriesExhausted(c);
            return;
        }
        c.retriesLeft--;
        core.send(c, c.outstanding);
        core.arm(c, c.retryIntervalNanos);
    }

    /** How long {@link #onTimer} has nothing to do; 0 when it is due, {@link Long#MAX_VALUE} when there is no timer. */
    public long nanosToNextDeadline() {
        return core.nanosToNextDeadline();
    }

    /** Connections that the engine knows, time-waits included. */
    public int connections() {
        return core.size();
    }

    /** Connections that have ended and are only remembered. */
    public int lingering() {
        return core.lingering();
    }

    /** The port goes away: ends listening and destroys every connection. Peers hear of it once, without retries. */
    public void close() {
        core.listeners().clear();
        for (CmConnection c : core.all()) {
            teardown.destroy(c);
        }
    }

    private static void checkLength(byte[] privateData, int max) {
        if (privateData.length > max) {
            throw new IllegalArgumentException(privateData.length + " bytes of private data, at most " + max);
        }
    }
}
