package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.cm.CmConnection.State;
import io.jsrpt.rdma.cm.CmMessage.Dreq;
import io.jsrpt.rdma.cm.CmMessage.Rej;
import io.jsrpt.rdma.cm.CmMessage.Rep;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a peer can make the engine hold, and what it says when there is no more room. */
class CmLimitsTest {
    private static final int HALF_OPEN = 8;
    private static final int LINGERING = 16;

    private final Node node = new Node(
            "10.0.0.1",
            1,
            s -> new CmSettings(s.local(), s.caGuid(), s.maxPathMtu(), 20, 15, 17, 15, 12, HALF_OPEN, LINGERING));
    private final ScriptedPeer peer = new ScriptedPeer(node);

    private CmConnection request(int n) {
        peer.say(peer.req(n, n));
        return node.requested();
    }

    private void listen() {
        node.engine.listen(ScriptedPeer.SERVICE, Node.LISTENER);
    }

    private static Rep rep(Node.Sent s) {
        return (Rep) CmMessage.decode(s.mad());
    }

    /** Report 27 (reason 3 without a trace): the refusal is the connection manager's own, and has its test here. */
    @Test
    void floodOfRequestsIsRefusedForNoResources() {
        listen();
        for (int i = 1; i <= HALF_OPEN; i++) {
            request(i);
        }
        for (int i = HALF_OPEN + 1; i < 10_000; i++) {
            peer.say(peer.req(i, i));
            assertEquals(CmEvent.Rejected.NO_RESOURCES, node.sentOne(Rej.class).reason());
        }
        node.noEvent();
        assertEquals(HALF_OPEN, node.engine.connections());
    }

    @Test
    void roomComesBackWhenARequestIsDecided() {
        listen();
        CmConnection first = request(1);
        for (int i = 2; i <= HALF_OPEN; i++) {
            request(i);
        }
        node.engine.reject(first, 28, Node.NOTHING);
        node.sent.clear();
        CmConnection next = request(99);
        node.accept(next);
        Rep rep = rep(node.sent.remove());
        peer.say(new CmMessage.Rtu(1, 99, rep.reply().localCommId(), Node.NOTHING).encode());
        node.eventOne(CmEvent.Established.class);
        request(100);
    }

    @Test
    void requestsToNoListenerLeaveNothingBehind() {
        for (int i = 0; i < 10_000; i++) {
            peer.say(peer.req(i, i));
            assertEquals(CmEvent.Rejected.INVALID_SERVICE_ID, node.sentOne(Rej.class).reason());
        }
        assertEquals(0, node.engine.connections());
        assertEquals(Long.MAX_VALUE, node.engine.nanosToNextDeadline());
    }

    @Test
    void rejectedRequestsAreRememberedUpToTheLimit() {
        listen();
        for (int i = 1; i < 1_000; i++) {
            node.engine.reject(request(i), 28, Node.NOTHING);
        }
        assertEquals(LINGERING, node.engine.connections());
        assertEquals(LINGERING, node.engine.lingering());
        node.noEvent();
    }

    @Test
    void timewaitsBeyondTheLimitEndEarlyAndTellTheirOwner() {
        listen();
        CmEvent.ConnectRequest first = null;
        for (int i = 1; i <= LINGERING + 1; i++) {
            peer.say(peer.req(i, i));
            CmEvent.ConnectRequest request = node.eventOne(CmEvent.ConnectRequest.class);
            first = first == null ? request : first;
            CmConnection c = node.connections.get(request.id());
            node.accept(c);
            node.noEvent();
            peer.say(new Dreq(1, i, c.localCommId(), 0x31).encode());
            if (i <= LINGERING) {
                node.eventOne(CmEvent.Disconnected.class);
            }
        }
        Set<String> both = new HashSet<>();
        node.events.forEach(e -> both.add(e.toString()));
        assertEquals(2, both.size());
        assertTrue(both.contains(new CmEvent.TimewaitExit(first.id()).toString()));
        assertEquals(LINGERING, node.engine.connections());
    }

    @Test
    void destroyedConnectionsWithDeadPeersAreBounded() {
        listen();
        for (int i = 1; i < 1_000; i++) {
            CmConnection c = request(i);
            node.accept(c);
            node.engine.destroy(c);
        }
        assertEquals(LINGERING, node.engine.connections());
        while (node.engine.nanosToNextDeadline() != Long.MAX_VALUE) {
            node.advanceToDeadline();
        }
        assertEquals(0, node.engine.connections());
        node.noEvent();
    }

    @Test
    void restartedPeerIsTakenAgainAndItsOldConnectionsEnd() {
        CmConnection old = peer.bring("ESTABLISHED-passive");
        peer.say(peer.req(ScriptedPeer.COMM_ID + 1, ScriptedPeer.QPN));
        assertSame(State.TIMEWAIT, old.state);
        assertEquals(Node.Qp.ERROR, node.queuePairs.get(old));
        assertEquals(ScriptedPeer.QPN, node.sentOne(Dreq.class).remoteQpn());
        assertEquals(new CmEvent.Disconnected(old.id()), node.events.remove());
        CmConnection fresh = node.requested();
        node.advance(1L << 40);
        assertEquals(new CmEvent.TimewaitExit(old.id()), node.events.remove());
        node.accept(fresh);
        assertSame(State.REP_SENT, fresh.state);
    }

    @Test
    void restartedPeerMayUseTheSameCommunicationId() {
        CmConnection old = peer.bring("ESTABLISHED-passive");
        byte[] again = peer.req(ScriptedPeer.COMM_ID, ScriptedPeer.QPN + 1);
        peer.say(again);
        assertEquals(new CmEvent.Disconnected(old.id()), node.events.remove());
        CmConnection fresh = node.requested();
        node.accept(fresh);
        node.advance(4_096L << 16);
        assertEquals(new CmEvent.TimewaitExit(old.id()), node.events.remove());
        node.sent.clear();
        peer.say(again);
        node.sentOne(Rep.class);
    }

    @Test
    void staleReplyEndsTheOldConnectionAndFailsTheNewOne() {
        CmConnection old = peer.bring("ESTABLISHED-passive");
        CmConnection fresh = node.engine.create(new TestId(500), ScriptedPeer.GID, ScriptedPeer.SERVICE);
        node.engine.connect(fresh, 0x41, Node.PARAMETERS, Node.NOTHING);
        node.sent.clear();
        peer.say(peer.rep(fresh, ScriptedPeer.COMM_ID + 1, ScriptedPeer.QPN));
        assertSame(State.TIMEWAIT, old.state);
        assertSame(State.CLOSED, fresh.state);
        assertEquals(2, node.events.size());
        node.events.remove();
        node.eventOne(CmEvent.ConnectError.class);
        node.sent.remove();
        assertEquals(CmEvent.Rejected.STALE_CONNECTION, node.sentOne(Rej.class).reason());
    }
}
