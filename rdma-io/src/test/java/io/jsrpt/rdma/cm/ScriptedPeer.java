package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.cm.CmConnection.State;
import io.jsrpt.rdma.cm.CmMessage.Drep;
import io.jsrpt.rdma.cm.CmMessage.Dreq;
import io.jsrpt.rdma.cm.CmMessage.Mra;
import io.jsrpt.rdma.cm.CmMessage.Rej;
import io.jsrpt.rdma.cm.CmMessage.Rep;
import io.jsrpt.rdma.cm.CmMessage.Req;
import io.jsrpt.rdma.cm.CmMessage.Rtu;

/** A peer without an engine: it says what the test wants said, in whatever order. */
final class ScriptedPeer {
    static final Gid GID = Captured.gid("10.0.0.9");
    static final int COMM_ID = 0x77;
    static final int QPN = 0x99;
    static final ServiceId SERVICE = new ServiceId(0x1234_5678_9abcL);
    private static final byte[] NOTHING = {};
    private static final long TID = 0x55;

    private final Node node;

    ScriptedPeer(Node node) {
        this.node = node;
    }

    byte[] req() {
        return req(COMM_ID, QPN);
    }

    byte[] req(int commId, int qpn) {
        CmRequest.Path path = new CmRequest.Path(0xffff, 0xffff, GID, node.gid, 0, 0, 0, 64, 0, false, 16);
        CmRequest r = new CmRequest(
                commId, SERVICE.value(), 5, 0, qpn, 4, 0, 4, 0, 20, 0, true, 0x123456, 20, 7, 0xffff, 5, false, 7, 15,
                false, 0, path, CmRequest.Path.NONE, new byte[92]);
        return new Req(TID, r).encode();
    }

    byte[] rep(CmConnection c) {
        return rep(c, COMM_ID, QPN);
    }

    byte[] rep(CmConnection c, int commId, int qpn) {
        return new Rep(
                        c.transactionId,
                        new CmReply(
                                commId, c.localCommId(), 0, qpn, 0, 0x654321, 4, 4, 15, 0, true, 7, false, 5,
                                new byte[196]))
                .encode();
    }

    /** A datagram by its name in the tables of the tests. */
    byte[] message(String name, CmConnection c) {
        int ours = c.localCommId();
        int qpn = c.localQueuePair().orElse(0);
        return switch (name) {
            case "REQ" -> req();
            case "REQ-of-same-queue-pair" -> req(COMM_ID + 1, QPN);
            case "REQ-of-same-id" -> req(COMM_ID, QPN + 1);
            case "MRA-of-REQ" -> new Mra(TID, COMM_ID, ours, Mra.OF_REQ, 21).encode();
            case "MRA-of-REP" -> new Mra(TID, COMM_ID, ours, Mra.OF_REP, 21).encode();
            case "REP" -> rep(c);
            case "RTU" -> new Rtu(TID, COMM_ID, ours, NOTHING).encode();
            case "REJ" -> new Rej(TID, COMM_ID, ours, Rej.OTHER, 28, NOTHING, NOTHING).encode();
            case "REJ-timeout" -> new Rej(TID, COMM_ID, 0, Rej.OTHER, 4, new byte[8], NOTHING).encode();
            case "DREQ" -> new Dreq(TID, COMM_ID, ours, qpn).encode();
            case "DREQ-of-other-queue-pair" -> new Dreq(TID, COMM_ID, ours, qpn + 1).encode();
            case "DREP" -> new Drep(TID, COMM_ID, ours).encode();
            default -> throw new IllegalArgumentException(name);
        };
    }

    void say(byte[] mad) {
        node.receive(GID, mad);
    }

    /** Brings a new connection of the node into a state, and forgets what was sent and told on the way. */
    CmConnection bring(String state) {
        CmConnection c = state.endsWith("-active") || state.equals("REQ_SENT") || state.equals("IDLE")
                ? active(state)
                : passive(state);
        String expected = state.replaceAll("-.*", "");
        if (c.state != State.valueOf(expected)) {
            throw new AssertionError(c + " was to be " + expected);
        }
        node.sent.clear();
        node.events.clear();
        return c;
    }

    private CmConnection active(String state) {
        TestId id = new TestId(1000);
        CmConnection c = node.engine.create(id, GID, SERVICE);
        node.connections.put(id, c);
        if (state.equals("IDLE")) {
            return c;
        }
        node.engine.connect(c, 0x21, Node.PARAMETERS, NOTHING);
        if (state.equals("REQ_SENT")) {
            return c;
        }
        if (state.equals("CLOSED-active")) {
            say(new Rej(c.transactionId, 0, c.localCommId(), Rej.OF_REQ, 28, NOTHING, NOTHING).encode());
            return c;
        }
        say(rep(c));
        end(c, state);
        return c;
    }

    private CmConnection passive(String state) {
        node.engine.listen(SERVICE, Node.LISTENER);
        say(req());
        CmConnection c = node.requested();
        if (state.equals("REQ_RECEIVED")) {
            return c;
        }
        if (state.equals("TIMEWAIT-rejected")) {
            node.engine.reject(c, 28, NOTHING);
            return c;
        }
        node.accept(c);
        if (state.equals("REP_SENT")) {
            return c;
        }
        if (state.equals("DREQ_SENT-destroyed")) {
            node.engine.destroy(c);
            return c;
        }
        if (state.equals("CLOSED-passive")) {
            say(message("REJ", c));
            return c;
        }
        say(message("RTU", c));
        end(c, state);
        return c;
    }

    private void end(CmConnection c, String state) {
        if (state.startsWith("DREQ_SENT")) {
            node.engine.disconnect(c);
        } else if (state.startsWith("TIMEWAIT")) {
            say(message("DREQ", c));
        }
    }
}
