package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.ServiceId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** An engine with everything it does written down, and a clock that stands still until it is told to move. */
final class Node implements CmSink {
    static final ServiceId SERVICE = ServiceId.rdmaTcp(5555);
    static final ConnectionParameters PARAMETERS = new ConnectionParameters(4, 4, 7, 7, true, false);
    static final byte[] NOTHING = {};
    static final CmId LISTENER = new TestId(-1);

    record Sent(Gid peer, byte[] mad) {}

    /** Where a queue pair stands. */
    enum Qp {
        RTR,
        RTS,
        ERROR
    }

    final Gid gid;
    final CmEngine engine;
    final Deque<Sent> sent = new ArrayDeque<>();
    final Deque<CmEvent> events = new ArrayDeque<>();
    final Map<CmId, CmConnection> connections = new HashMap<>();
    final Map<CmConnection, Qp> queuePairs = new HashMap<>();
    final List<ReadyToReceive> rtr = new ArrayList<>();
    final List<ReadyToSend> rts = new ArrayList<>();
    boolean refuseRtr;
    boolean refuseRts;
    long now = Long.MAX_VALUE - 5_000_000_000L; // wraps early, as a real clock may
    private long nextId;

    Node(String address, long seed, UnaryOperator<CmSettings> change) {
        gid = Captured.gid(address);
        CmSettings settings = change.apply(CmSettings.of(gid, 0x5054_00ff_fe77_0000L | seed, PathMtu.MTU_4096));
        engine = new CmEngine(settings, this, () -> now, new SplittableRandom(seed));
    }

    @Override
    public void send(Gid peer, byte[] mad) {
        assertEquals(256, mad.length);
        sent.add(new Sent(peer, mad));
    }

    @Override
    public CmId newId(CmConnection connection, CmId listener) {
        assertEquals(LISTENER, listener);
        CmId id = new TestId(nextId++);
        connections.put(id, connection);
        return id;
    }

    @Override
    public void event(CmEvent event) {
        events.add(event);
    }

    @Override
    public boolean readyToReceive(CmConnection connection, ReadyToReceive attributes) {
        if (!refuseRtr) {
            rtr.add(attributes);
            assertTrue(queuePairs.put(connection, Qp.RTR) == null, "to RTR from INIT only");
        }
        return !refuseRtr;
    }

    @Override
    public boolean readyToSend(CmConnection connection, ReadyToSend attributes) {
        if (!refuseRts) {
            rts.add(attributes);
            assertEquals(Qp.RTR, queuePairs.put(connection, Qp.RTS), "to RTS from RTR only");
        }
        return !refuseRts;
    }

    @Override
    public void error(CmConnection connection) {
        queuePairs.put(connection, Qp.ERROR);
    }

    void listen() {
        assertTrue(engine.listen(SERVICE, LISTENER));
    }

    /** Starts a connection to a peer with queue pair 0x21. */
    CmConnection connect(Node peer) {
        return connect(peer, SERVICE, 0x21, NOTHING);
    }

    CmConnection connect(Node peer, ServiceId service, int qpn, byte[] privateData) {
        CmId id = new TestId(nextId++);
        CmConnection c = engine.create(id, peer.gid, service);
        connections.put(id, c);
        engine.connect(c, qpn, PARAMETERS, privateData);
        return c;
    }

    void accept(CmConnection c) {
        engine.accept(c, 0x31, PARAMETERS, NOTHING);
    }

    /** Gives a datagram to this node's engine, as from a peer. */
    void receive(Gid peer, byte[] mad) {
        engine.onMad(peer, mad);
    }

    /** Carries what this node has sent to the peer. */
    void flushTo(Node peer) {
        while (!sent.isEmpty()) {
            Sent s = sent.remove();
            assertEquals(peer.gid, s.peer());
            peer.receive(gid, s.mad());
        }
    }

    void advance(long nanos) {
        now += nanos;
        engine.onTimer();
    }

    /** Moves the clock to the next deadline. */
    void advanceToDeadline() {
        long delay = engine.nanosToNextDeadline();
        assertTrue(delay < Long.MAX_VALUE, "a timer runs");
        advance(delay);
    }

    /** The one datagram that was sent since the last look. */
    <M extends CmMessage> M sentOne(Class<M> type) {
        assertEquals(1, sent.size(), () -> "datagrams sent: " + describeSent());
        return assertInstanceOf(type, CmMessage.decode(sent.remove().mad()));
    }

    void sentNothing() {
        assertEquals("", describeSent());
    }

    private String describeSent() {
        StringBuilder all = new StringBuilder();
        for (Sent s : sent) {
            all.append(CmMessage.decode(s.mad())).append(' ');
        }
        return all.toString();
    }

    /** The one event that came since the last look. */
    <E extends CmEvent> E eventOne(Class<E> type) {
        assertEquals(1, events.size(), () -> "events: " + events);
        return assertInstanceOf(type, events.remove());
    }

    void noEvent() {
        assertTrue(events.isEmpty(), () -> "events: " + events);
    }

    CmConnection requested() {
        return connections.get(eventOne(CmEvent.ConnectRequest.class).id());
    }
}
