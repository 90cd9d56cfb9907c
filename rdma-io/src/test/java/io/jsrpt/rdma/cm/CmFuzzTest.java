package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Datagrams that no honest peer sends: real ones with bytes changed, and noise. Whatever comes, the engine throws
 * nothing, keeps the order of events, stays within its limits, and has forgotten everything in the end.
 */
class CmFuzzTest {
    private static final int HALF_OPEN = 32;
    private static final int LINGERING = 64;
    private static final String[] NAMES = {
        "REQ", "REQ-of-same-queue-pair", "REQ-of-same-id", "MRA-of-REQ", "MRA-of-REP", "REP", "RTU", "REJ",
        "REJ-timeout", "DREQ", "DREQ-of-other-queue-pair", "DREP"
    };

    private final List<CmConnection> owned = new ArrayList<>();
    private EventOrder order = new EventOrder();
    private int told;

    private void takeEvents(Node node) {
        while (!node.events.isEmpty()) {
            CmEvent e = node.events.remove();
            order.check(e);
            told++;
            if (e instanceof CmEvent.ConnectRequest) {
                owned.add(node.connections.get(e.id()));
            }
        }
        node.sent.clear();
    }

    private static byte[] datagram(SplittableRandom random, ScriptedPeer peer, CmConnection about) {
        byte[] mad = peer.message(NAMES[random.nextInt(NAMES.length)], about);
        switch (random.nextInt(4)) {
            case 0 -> {
                random.nextBytes(mad);
                mad[0] = 1;
                mad[1] = 7;
                mad[2] = 2;
                mad[3] = 3;
                mad[16] = 0;
                mad[17] = (byte) (0x10 + random.nextInt(11));
            }
            case 1 -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    mad[random.nextInt(mad.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 2 -> {
                // other numbers of the same peer
                mad[27] = (byte) random.nextInt(8);
                mad[58] = (byte) random.nextInt(8);
            }
            default -> { }
        }
        return mad;
    }

    private void ownersTurn(SplittableRandom random, Node node) {
        if (owned.isEmpty()) {
            return;
        }
        CmConnection c = owned.get(random.nextInt(owned.size()));
        switch (random.nextInt(6)) {
            case 0 -> node.engine.accept(c, 0x100 + random.nextInt(1 << 20), Node.PARAMETERS, Node.NOTHING);
            case 1 -> node.engine.disconnect(c);
            case 2 -> node.engine.established(c);
            case 3, 4 -> {
                node.engine.destroy(c);
                takeEvents(node);
                order.silence(c.id());
                owned.remove(c);
            }
            default -> node.advance(random.nextLong(1L << 32));
        }
    }

    private void run(long seed) {
        order = new EventOrder();
        Node node = new Node(
                "10.0.0.1",
                seed,
                s -> new CmSettings(s.local(), s.caGuid(), s.maxPathMtu(), 14, 3, 14, 14, 12, HALF_OPEN, LINGERING));
        SplittableRandom random = new SplittableRandom(seed);
        ScriptedPeer peer = new ScriptedPeer(node);
        node.engine.listen(ScriptedPeer.SERVICE, Node.LISTENER);
        CmConnection stranger = new CmConnection(12345, ScriptedPeer.GID, ScriptedPeer.SERVICE);
        for (int i = 0; i < 2_000; i++) {
            if (random.nextInt(50) == 0) {
                TestId id = new TestId(1_000_000 + i);
                CmConnection c = node.engine.create(id, ScriptedPeer.GID, ScriptedPeer.SERVICE);
                node.engine.connect(c, i + 1, Node.PARAMETERS, Node.NOTHING);
                node.connections.put(id, c);
                owned.add(c);
            }
            CmConnection about = owned.isEmpty() || random.nextInt(8) == 0
                    ? stranger
                    : owned.get(random.nextInt(owned.size()));
            peer.say(datagram(random, peer, about));
            takeEvents(node);
            ownersTurn(random, node);
            takeEvents(node);
            assertTrue(node.engine.connections() <= owned.size() + LINGERING);
        }
        for (CmConnection c : owned) {
            node.engine.destroy(c);
        }
        while (node.engine.nanosToNextDeadline() != Long.MAX_VALUE) {
            node.advanceToDeadline();
        }
        assertEquals(0, node.engine.connections());
        assertEquals(0, node.engine.lingering());
        owned.clear();
    }

    @Test
    void nothingThatComesThrowsOrLeaks() {
        for (long seed = 0; seed < 100; seed++) {
            try {
                run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
        assertTrue(told > 1_000, "events told: " + told);
    }
}
