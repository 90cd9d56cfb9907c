package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.cm.CmConnection.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Two nodes with owners that do as chance has it, a link that loses, repeats and overtakes, and one clock. All from one
 * seed.
 */
final class LossyWorld {
    private static final long MILLISECOND = 1_000_000;

    private record Flight(long arrival, int order, Node to, Gid from, byte[] mad) {}

    private final SplittableRandom random;
    private final Node left;
    private final Node right;
    private final EventOrder leftOrder = new EventOrder();
    private final EventOrder rightOrder = new EventOrder();
    private final PriorityQueue<Flight> flights = new PriorityQueue<>(
            Comparator.comparingLong(Flight::arrival).thenComparingInt(Flight::order));
    private final List<CmConnection> undecided = new ArrayList<>();
    private final double loss;
    private boolean healed;
    private long now;
    private int sentCount;
    private int nextQpn = 1;
    int established;

    LossyWorld(long seed) {
        random = new SplittableRandom(seed);
        loss = random.nextDouble(0.1);
        left = new Node(seed % 2 == 0 ? "10.0.0.1" : "fd00::1", 2 * seed, s -> s);
        right = new Node(seed % 2 == 0 ? "10.0.0.2" : "fd00::2", 2 * seed + 1, s -> s);
        left.now = 0;
        right.now = 0;
        left.listen();
        right.listen();
    }

    void run() {
        for (int i = 0; i < 300; i++) {
            act(random.nextBoolean() ? left : right);
            step(now + random.nextLong(400 * MILLISECOND));
        }
        healed = true;
        settle();
        checkPairs(left, right);
        checkPairs(right, left);
        destroyAll(left);
        destroyAll(right);
        settle();
        assertEquals(0, left.engine.connections());
        assertEquals(0, right.engine.connections());
        assertEquals(0, left.engine.lingering() + right.engine.lingering());
        assertEquals(Long.MAX_VALUE, left.engine.nanosToNextDeadline());
    }

    private EventOrder orderOf(Node node) {
        return node == left ? leftOrder : rightOrder;
    }

    private Node peerOf(Node node) {
        return node == left ? right : left;
    }

    /** One owner does something. */
    private void act(Node node) {
        int what = random.nextInt(10);
        if (what < 2) {
            node.connect(peerOf(node), Node.SERVICE, nextQpn++, Node.NOTHING);
        } else if (what < 6 && !undecided.isEmpty()) {
            decide(undecided.remove(random.nextInt(undecided.size())));
        } else if (what == 6) {
            pick(node).ifPresent(node.engine::disconnect);
        } else if (what == 7) {
            pick(node).ifPresent(c -> destroy(node, c));
        } else if (what == 8) {
            // data of an established peer came before the RTU
            pick(node).filter(c -> peerIsUp(node, c)).ifPresent(node.engine::established);
        } else if (what == 9 && random.nextInt(5) == 0) {
            node.refuseRtr = !node.refuseRtr;
        }
        afterCall(node);
    }

    private boolean peerIsUp(Node node, CmConnection c) {
        return peerOf(node).connections.values().stream()
                .anyMatch(p -> p.state == State.ESTABLISHED && p.remoteCommId == c.localCommId());
    }

    private Optional<CmConnection> pick(Node node) {
        List<CmConnection> all = new ArrayList<>(node.connections.values());
        all.sort(Comparator.comparingInt(CmConnection::localCommId));
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void decide(CmConnection c) {
        Node node = left.connections.containsValue(c) ? left : right;
        if (!node.connections.containsValue(c)) {
            return; // destroyed meanwhile
        }
        if (random.nextInt(4) == 0) {
            boolean open = c.state == State.REQ_RECEIVED;
            node.engine.reject(c, CmEvent.Rejected.CONSUMER_DEFINED, Node.NOTHING);
            if (open) {
                orderOf(node).silence(c.id());
            }
        } else {
            node.engine.accept(c, nextQpn++, Node.PARAMETERS, Node.NOTHING);
        }
        afterCall(node);
    }

    private void destroy(Node node, CmConnection c) {
        node.connections.remove(c.id());
        node.engine.destroy(c);
        afterCall(node);
        orderOf(node).silence(c.id());
        assertTrue(c.quiet);
    }

    private void destroyAll(Node node) {
        for (CmConnection c : List.copyOf(node.connections.values())) {
            destroy(node, c);
        }
    }

    /** Takes what the engine has done: datagrams onto the link, events to the check. */
    private void afterCall(Node node) {
        while (!node.sent.isEmpty()) {
            Node.Sent s = node.sent.remove();
            int copies = healed ? 1 : random.nextDouble() < loss ? 0 : random.nextInt(10) == 0 ? 2 : 1;
            for (int i = 0; i < copies; i++) {
                long delay = random.nextInt(20) == 0 && !healed
                        ? random.nextLong(6_000 * MILLISECOND)
                        : random.nextLong(50 * MILLISECOND);
                flights.add(new Flight(now + delay, sentCount++, peerOf(node), node.gid, s.mad()));
            }
        }
        while (!node.events.isEmpty()) {
            CmEvent e = node.events.remove();
            orderOf(node).check(e);
            CmConnection c = node.connections.get(e.id());
            if (e instanceof CmEvent.ConnectRequest) {
                undecided.add(c);
            } else if (e instanceof CmEvent.Established) {
                established++;
                assertEquals(Node.Qp.RTS, node.queuePairs.get(c));
            } else if (node.queuePairs.containsKey(c)) {
                assertEquals(Node.Qp.ERROR, node.queuePairs.get(c), () -> "after " + e);
            }
        }
    }

    /** Lets time pass until then. */
    private void step(long until) {
        while (true) {
            long next = Math.min(now + left.engine.nanosToNextDeadline(), until);
            if (left.engine.nanosToNextDeadline() == Long.MAX_VALUE) {
                next = until;
            }
            if (right.engine.nanosToNextDeadline() != Long.MAX_VALUE) {
                next = Math.min(next, now + right.engine.nanosToNextDeadline());
            }
            if (!flights.isEmpty()) {
                next = Math.min(next, flights.element().arrival());
            }
            now = Math.max(now, next);
            left.now = now;
            right.now = now;
            left.engine.onTimer();
            afterCall(left);
            right.engine.onTimer();
            afterCall(right);
            while (!flights.isEmpty() && flights.element().arrival() <= now) {
                Flight f = flights.remove();
                f.to().receive(f.from(), f.mad());
                afterCall(f.to());
            }
            if (now >= until) {
                return;
            }
        }
    }

    /** Lets everything that was begun come to its end. */
    private void settle() {
        for (int i = 0; i < 400; i++) {
            while (!undecided.isEmpty()) {
                decide(undecided.removeFirst());
            }
            step(now + 1_000 * MILLISECOND);
        }
        assertTrue(flights.isEmpty());
    }

    /** What is established here is so there, and the queue pairs fit. */
    private static void checkPairs(Node node, Node peer) {
        for (CmConnection c : node.connections.values()) {
            if (c.state == State.ESTABLISHED) {
                CmConnection other = peer.connections.values().stream()
                        .filter(p -> p.localCommId() == c.remoteCommId)
                        .findAny()
                        .orElseThrow(() -> new AssertionError(c + " has no counterpart"));
                assertEquals(State.ESTABLISHED, other.state, () -> c + " with " + other);
                assertEquals(c.localCommId(), other.remoteCommId);
                assertEquals(c.localQueuePair(), other.remoteQueuePair());
                assertEquals(c.remoteQueuePair(), other.localQueuePair());
            } else {
                assertTrue(
                        c.state == State.CLOSED || c.state == State.IDLE, () -> c + " should have come to an end");
            }
        }
    }
}
