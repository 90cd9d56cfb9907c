package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.roce.SimulatedLink.Faults;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a lost packet is repeated and how late a silent peer is given up, with the timeout that Linux asks for. */
class LossRecoveryTest {
    private static final int MTU = 1024;
    private static final int MEMORY = 1 << 20;
    private static final int SIGNALED = QueuePair.SIGNALED;
    private static final long MS = 1_000_000;
    private static final long TIMEOUT = 4096L << 19;
    private static final int RETRIES = 7;
    private static final Tuning TUNING = new Tuning(64, 16, 32, 64, 20 * MS);

    private Side a;
    private Side b;

    @BeforeEach
    void connect() {
        a = new Side(0x1001, MEMORY);
        b = new Side(0x1002, MEMORY);
        ready(a, b);
        ready(b, a);
        a.fill(0, MEMORY / 2, 1);
        b.fill(0, MEMORY / 2, 2);
    }

    private static void ready(Side side, Side peer) {
        side.engine.readyToReceive(
            side.connection(peer.number, MTU), new Responder.Attributes(0, 4, 1, true), TUNING, () -> { });
        side.engine.readyToSend(new Requester.Attributes(0, 4, RETRIES, 7, TIMEOUT), TUNING);
    }

    @Test
    void aLostLastPacketIsRepeatedLongBeforeTheNegotiatedTimeout() {
        b.receive(7, MEMORY / 2, 64);
        a.post(SendRing.WRITE, 1, 0, 4 * MTU, b.at(MEMORY / 2 + 1024), b.key, 0);
        a.send(2, 0, 64, SIGNALED);
        a.engine.pump(0);
        List<byte[]> packets = a.take();
        packets.subList(0, 3).forEach(p -> b.deliver(p, 0));
        assertTrue(a.engine.deadline() <= 200 * MS, "repeats at " + a.engine.deadline());
        a.engine.onTimer(a.engine.deadline());
        a.engine.pump(200 * MS);
        assertEquals(1, a.sent.size(), "a probe, not the whole window");
        SimulatedLink link = new SimulatedLink(a, b, Faults.NONE, 1);
        link.settle();
        assertEquals(List.of("2 SEND SUCCESS"), a.completed());
        assertEquals(List.of("7 RECEIVE SUCCESS"), b.completed());
        same(a, 0, b, MEMORY / 2 + 1024, 4 * MTU);
    }

    /** One command at a time, so that each loss is one of a last packet; and many at a time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 32})
    void onePercentOfLossStallsNoOneForTheNegotiatedTimeout(int depth) {
        int rounds = 2000 / depth;
        for (int seed = 0; seed < 5; seed++) {
            connect();
            SimulatedLink link = new SimulatedLink(a, b, new Faults(0.01, 0, 0), seed);
            int size = 8000;
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < depth; i++) {
                    int at = MEMORY / 2 + (i & 31) * size;
                    boolean write = (i + round) % 2 == 0;
                    long remote = write ? b.at(at) : b.at((i & 31) * size);
                    int local = write ? (i & 31) * size : at;
                    a.post(write ? SendRing.WRITE : SendRing.READ, i, local, size, remote, b.key, SIGNALED);
                }
                long began = link.now();
                link.settle();
                long took = link.now() - began;
                assertTrue(took < TIMEOUT / 2, "seed " + seed + ", round " + round + ": " + took / MS + " ms");
                assertEquals(depth, a.completed().stream().filter(c -> c.endsWith(" SUCCESS")).count());
                for (int i = 0; i < depth; i++) {
                    int at = MEMORY / 2 + (i & 31) * size;
                    boolean write = (i + round) % 2 == 0;
                    same(write ? a : b, (i & 31) * size, write ? b : a, at, size);
                }
            }
            assertTrue(a.count(Count.TIMEOUTS) > 0, "nothing was lost at the end");
            assertTrue(link.now() < rounds * 40 * MS, rounds + " rounds in " + link.now() / MS + " ms");
        }
    }

    @Test
    void aPeerThatAnswersSlowlyIsNotGivenUp() {
        b.receive(7, MEMORY / 2, 64);
        a.post(SendRing.READ, 1, MEMORY / 2, 40 * MTU, b.at(0), b.key, SIGNALED);
        a.send(2, 0, 64, SIGNALED);
        // its answer takes nearly as long as eight timeouts
        new SimulatedLink(a, b, Faults.NONE, 1, 4 * TIMEOUT - 10 * MS).settle();
        assertEquals(List.of("1 RDMA_READ SUCCESS", "2 SEND SUCCESS"), a.completed());
        same(b, 0, a, MEMORY / 2, 40 * MTU);
        assertEquals(QpState.RTS, a.engine.state());
    }

    @ParameterizedTest
    @ValueSource(ints = {SendRing.SEND, SendRing.WRITE, SendRing.READ})
    void aPeerThatIsGoneIsGivenUpWhenTheNegotiatedRetriesAreOver(int operation) {
        a.post(operation, 1, 0, 5000, b.at(0), b.key, SIGNALED);
        SimulatedLink link = new SimulatedLink(a, b, new Faults(1, 0, 0), 1);
        link.settle();
        assertEquals(1, a.completed().stream().filter(c -> c.endsWith("RETRY_EXCEEDED")).count());
        assertEquals((RETRIES + 1) * TIMEOUT, link.now());
        assertTrue(a.count(Count.RETRANSMISSIONS) < 30, "sent to no one: " + a.count(Count.RETRANSMISSIONS));
    }

    private static void same(Side from, int source, Side to, int target, int length) {
        MemorySegment wanted = from.memory.asSlice(source, length);
        assertEquals(-1, to.memory.asSlice(target, length).mismatch(wanted));
    }
}
