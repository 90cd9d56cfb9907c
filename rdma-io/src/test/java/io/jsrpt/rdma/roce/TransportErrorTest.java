package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.roce.SimulatedLink.Faults;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a connection does on faults: NAKs, exhausted retries, broken packets, flushes. */
class TransportErrorTest {
    private static final int MTU = 256;
    private static final int MEMORY = 1 << 16;
    private static final int SIGNALED = QueuePair.SIGNALED;
    private static final Tuning TUNING = new Tuning(16, 4, 8, 64, 200_000);

    private Side a;
    private Side b;

    @BeforeEach
    void connect() {
        a = new Side(0x1001, MEMORY);
        b = new Side(0x1002, MEMORY);
        ready(a, b, 0xfffffe, 5, 3);
        ready(b, a, 5, 0xfffffe, 3);
    }

    private static void ready(Side side, Side peer, int receivePsn, int sendPsn, int rnrRetries) {
        side.engine.readyToReceive(
            side.connection(peer.number, MTU),
            new Responder.Attributes(receivePsn, 2, 1, true),
            TUNING,
            () -> side.firstRequests++);
        side.engine.readyToSend(new Requester.Attributes(sendPsn, 2, 3, rnrRetries, 1_000_000), TUNING);
    }

    @Test
    void aPeerThatIsGoneExhaustsTheRetries() {
        a.post(SendRing.WRITE, 1, 0, 1000, b.at(0), b.key, 0);
        a.send(2, 0, 10, SIGNALED);
        a.receive(3, 0, 10);
        SimulatedLink link = new SimulatedLink(a, b, new Faults(1, 0, 0), 1);
        link.settle();
        assertEquals(
            List.of("1 RDMA_WRITE RETRY_EXCEEDED", "2 SEND WORK_REQUEST_FLUSHED", "3 RECEIVE WORK_REQUEST_FLUSHED"),
            a.completed());
        assertEquals(QpState.ERROR, a.engine.state());
        assertEquals(4_000_000, link.now(), "the timeout and three retries");
    }

    @Test
    void aPeerThatNeverIsReadyExhaustsTheReceiverNotReadyRetries() {
        a.send(1, 0, 10, 0);
        a.send(2, 0, 10, 0);
        new SimulatedLink(a, b, Faults.NONE, 1).settle();
        assertEquals(List.of("1 SEND RNR_RETRY_EXCEEDED", "2 SEND WORK_REQUEST_FLUSHED"), a.completed());
        assertEquals(4, a.count(Count.RNR_RECEIVED));
    }

    @Test
    void aReceiveThatIsNotRegisteredIsARemoteOperationError() {
        b.receive(7, MEMORY, 64);
        a.send(1, 0, 10, SIGNALED);
        new SimulatedLink(a, b, Faults.NONE, 1).settle();
        assertEquals(List.of("1 SEND REMOTE_OPERATION_ERROR"), a.completed());
        assertEquals(List.of("7 RECEIVE LOCAL_PROTECTION_ERROR"), b.completed());
        assertEquals(QpState.ERROR, b.engine.state());
    }

    @Test
    void aBadWorkRequestFailsAfterUnsignalledOnesBeforeItHaveArrived() {
        b.receive(7, 0, 64);
        a.fill(0, 10, 1);
        a.send(1, 0, 10, 0);
        a.send(2, MEMORY, 10, 0);
        new SimulatedLink(a, b, Faults.NONE, 1).settle();
        assertEquals(List.of("2 SEND LOCAL_PROTECTION_ERROR"), a.completed());
        assertEquals(List.of("7 RECEIVE SUCCESS"), b.completed());
    }

    @Test
    void aGapIsAnsweredByOneSequenceNakAndClosedByGoingBack() {
        b.receive(7, 0, 64);
        b.receive(8, 0, 64);
        b.receive(9, 0, 64);
        for (int i = 1; i <= 3; i++) {
            a.send(i, 0, 10, SIGNALED);
        }
        a.engine.pump(0);
        List<byte[]> packets = a.take();
        b.deliver(packets.get(1), 0);
        b.deliver(packets.get(2), 0);
        b.engine.pump(0);
        assertEquals(1, b.count(Count.NAKS_SENT));
        assertEquals(2, b.count(Count.DROPPED_OUT_OF_ORDER));
        assertTrue(b.completed().isEmpty());
        b.take().forEach(p -> a.deliver(p, 0));
        new SimulatedLink(a, b, Faults.NONE, 1).settle();
        assertEquals(List.of("1 SEND SUCCESS", "2 SEND SUCCESS", "3 SEND SUCCESS"), a.completed());
        assertEquals(List.of("7 RECEIVE SUCCESS", "8 RECEIVE SUCCESS", "9 RECEIVE SUCCESS"), b.completed());
        assertEquals(0, a.count(Count.TIMEOUTS));
    }

    @Test
    void aRequestOfAnUnknownKindIsRefused() {
        a.send(1, 0, 10, SIGNALED);
        a.engine.pump(0);
        byte[] packet = a.take().getFirst();
        packet[0] = Bth.WRITE_MIDDLE;
        b.deliver(packet, 0);
        b.engine.pump(0);
        assertEquals(QpState.ERROR, b.engine.state());
        b.take().forEach(p -> a.deliver(p, 0));
        a.engine.pump(0);
        assertEquals(List.of("1 SEND REMOTE_INVALID_REQUEST"), a.completed());
    }

    @Test
    void packetsThatAreBrokenCostAtMostTheirConnectionAndNeverWriteOutsideIt() {
        MemorySegment untouched = MemorySegment.ofArray(new byte[MEMORY - 900]);
        for (int seed = 0; seed < 2000; seed++) {
            connect();
            Random random = new Random(seed);
            b.receive(7, 0, 600);
            a.send(1, 0, 600, SIGNALED);
            a.post(SendRing.WRITE, 2, 0, 700, b.at(4096), b.key, SIGNALED);
            a.post(SendRing.READ, 3, 0, 900, b.at(4096), b.key, SIGNALED);
            a.engine.pump(0);
            for (byte[] packet : a.take()) {
                b.deliver(broken(packet, random), 0);
                b.engine.pump(0);
            }
            for (byte[] packet : b.take()) {
                a.deliver(broken(packet, random), 0);
                a.engine.pump(0);
            }
            assertEquals(-1, a.memory.asSlice(900).mismatch(untouched), "seed " + seed);
        }
    }

    /** Changes bytes, mostly of the headers, or the length; never below a BTH, which the socket checks. */
    private static byte[] broken(byte[] packet, Random random) {
        byte[] copy = packet.clone();
        if (random.nextInt(4) == 0) {
            int words = Bth.BYTES / 4 + random.nextInt(copy.length / 4 + 1 - Bth.BYTES / 4);
            copy = Arrays.copyOf(copy, words * 4);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(random.nextBoolean() ? Math.min(copy.length, 28) : copy.length);
            copy[at] = (byte) random.nextInt();
        }
        return copy;
    }
}
