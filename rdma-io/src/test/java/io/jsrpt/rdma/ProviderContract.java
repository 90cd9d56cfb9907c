package io.jsrpt.rdma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.Endpoint.Completed;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every provider does, whatever it is made of. A provider's own test gives a service with two devices that reach
 * each other.
 */
public abstract class ProviderContract {
    private static final ServiceId SERVICE = ServiceId.rdmaTcp(5555);
    private static final int MEMORY = 8 << 20;
    private static final int SIGNALED = QueuePair.SIGNALED;

    private RdmaService service;
    private Endpoint a;
    private Endpoint b;

    /** Opens the provider with two devices. */
    protected abstract RdmaService open() throws RdmaException;

    @BeforeEach
    void openBoth() throws RdmaException {
        service = open();
        a = new Endpoint(service.devices().get(0), MEMORY);
        b = new Endpoint(service.devices().get(1), MEMORY);
    }

    @AfterEach
    void closeBoth() {
        a.close();
        b.close();
        for (Endpoint e : List.of(a, b)) {
            for (RdmaDevice.Counter counter : e.device().counters()) {
                if (counter.name().startsWith("open.")) {
                    assertEquals(0, counter.value(), counter.name());
                }
            }
        }
        service.close();
    }

    private Pair connect() throws RdmaException {
        return Pair.connect(a, a.spec(64), b, b.spec(64), SERVICE, Pair.PARAMETERS);
    }

    @Test
    void connectsWithPrivateDataBothWays() throws RdmaException {
        CmId listener = b.channel().listen(SERVICE);
        CmId aId = a.channel().createId(b.gid(), SERVICE);
        QueuePair aQp = aId.createQueuePair(a.spec(4));
        assertEquals(QpState.INIT, aQp.state());
        byte[] hello = new byte[56];
        Arrays.fill(hello, (byte) 7);
        aId.connect(Pair.PARAMETERS, hello);
        CmEvent.ConnectRequest request = b.event(CmEvent.ConnectRequest.class);
        assertArrayEquals(hello, Arrays.copyOf(request.privateData(), 56));
        assertEquals(listener, request.listener());
        assertEquals(a.gid(), request.id().remote());
        assertEquals(b.gid(), request.id().local());
        assertEquals(SERVICE, request.id().service());
        QueuePair bQp = request.id().createQueuePair(b.spec(4));
        byte[] welcome = {9, 8, 7};
        request.id().accept(Pair.PARAMETERS, welcome);
        CmEvent.Established atA = a.event(CmEvent.Established.class);
        assertArrayEquals(welcome, Arrays.copyOf(atA.privateData(), 3));
        b.event(CmEvent.Established.class);
        assertEquals(QpState.RTS, aQp.state());
        assertEquals(QpState.RTS, bQp.state());
        assertEquals(bQp.number(), aId.remoteQueuePair().orElseThrow());
        new Pair(a, aId, aQp, b, request.id(), bQp, listener).end();
    }

    @Test
    void sendsOfAnySizeArrive() throws RdmaException {
        Pair p = connect();
        int[] sizes = {0, 1, 3, 255, 256, 1023, 4095, 4096, 4097, 12_288, 100_001, 1 << 20};
        for (int i = 0; i < sizes.length; i++) {
            a.fill(0, sizes[i], i);
            p.bQp().postReceive(100 + i, b.at(0), 1 << 20, b.region().lkey());
            p.bQp().ringDoorbell();
            p.aQp().postSend(i, a.at(0), sizes[i], a.region().lkey(), SIGNALED | QueuePair.SOLICITED);
            p.aQp().ringDoorbell();
            Completed sent = a.awaitSuccess(i);
            assertEquals(Opcode.SEND, sent.opcode());
            assertEquals(p.aQp().number(), sent.queuePair());
            Completed received = b.awaitSuccess(100 + i);
            assertEquals(Opcode.RECEIVE, received.opcode());
            assertEquals(sizes[i], received.bytes());
            assertEquals(p.bQp().number(), received.queuePair());
            b.assertFilled(0, sizes[i], i);
        }
        p.end();
    }

    @Test
    void writesAndReadsOfAnySizeMoveTheBytes() throws RdmaException {
        Pair p = connect();
        int[] sizes = {1, 255, 4096, 4097, 65_536, 1 << 20};
        for (int i = 0; i < sizes.length; i++) {
            a.fill(0, sizes[i], i);
            p.aQp().postRdmaWrite(
                1, a.at(0), sizes[i], a.region().lkey(), b.at(4096), b.region().rkey(), SIGNALED);
            p.aQp().ringDoorbell();
            assertEquals(Opcode.RDMA_WRITE, a.awaitSuccess(1).opcode());
            b.assertFilled(4096, sizes[i], i);
            p.aQp().postRdmaRead(
                2, a.at(2 << 20), sizes[i], a.region().lkey(), b.at(4096), b.region().rkey(), SIGNALED);
            p.aQp().ringDoorbell();
            assertEquals(Opcode.RDMA_READ, a.awaitSuccess(2).opcode());
            a.assertFilled(2 << 20, sizes[i], i);
        }
        p.end();
    }

    @Test
    void manyReadsAreOutstanding() throws RdmaException {
        Pair p = connect();
        b.fill(0, 64 * 65_536, 5);
        for (int i = 0; i < 64; i++) {
            long offset = i * 65_536L;
            p.aQp().postRdmaRead(
                i, a.at(offset), 65_536, a.region().lkey(), b.at(offset), b.region().rkey(), SIGNALED);
        }
        p.aQp().ringDoorbell();
        for (int i = 0; i < 64; i++) {
            a.awaitSuccess(i);
        }
        a.assertFilled(0, 64 * 65_536, 5);
        p.end();
    }

    @Test
    void emptyWriteNeedsNoKey() throws RdmaException {
        Pair p = connect();
        p.aQp().postRdmaWrite(1, 0, 0, 0, 0x1234_5678_9abcL, 0xdead_beef, SIGNALED);
        p.aQp().postRdmaWrite(2, 0, 0, 0, 0, 0, 0);
        p.aQp().postRdmaWrite(3, 0, 0, 0, 0, 0, SIGNALED);
        p.aQp().ringDoorbell();
        a.awaitSuccess(1);
        a.awaitSuccess(3);
        p.end();
    }

    @Test
    void wrongKeyOrRangeIsARemoteAccessError() throws RdmaException {
        long[][] bad = {
            {b.at(0), b.region().rkey() + 1},
            {b.at(0) - 1, b.region().rkey()},
            {b.at(MEMORY) - 7, b.region().rkey()},
            {-4, b.region().rkey()},
            {Long.MIN_VALUE, b.region().rkey()},
        };
        for (long[] target : bad) {
            for (boolean read : new boolean[] {false, true}) {
                Pair p = connect();
                int rkey = (int) target[1];
                if (read) {
                    p.aQp().postRdmaRead(1, a.at(0), 8, a.region().lkey(), target[0], rkey, SIGNALED);
                } else {
                    p.aQp().postRdmaWrite(1, a.at(0), 8, a.region().lkey(), target[0], rkey, SIGNALED);
                }
                p.aQp().postSend(2, a.at(0), 8, a.region().lkey(), 0);
                p.aQp().ringDoorbell();
                assertEquals(List.of("1 REMOTE_ACCESS_ERROR", "2 WORK_REQUEST_FLUSHED"), a.await(2));
                assertEquals(QpState.ERROR, p.aQp().state());
                p.end();
            }
        }
    }

    @Test
    void rightsOfARegionAreKept() throws RdmaException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(4096);
            for (Access given : Access.values()) {
                MemoryRegion region = b.pd().register(segment, EnumSet.of(given));
                Pair p = connect();
                if (given == Access.REMOTE_READ) {
                    p.aQp().postRdmaRead(
                        1, a.at(0), 8, a.region().lkey(), segment.address(), region.rkey(), SIGNALED);
                    p.aQp().postRdmaWrite(
                        2, a.at(0), 8, a.region().lkey(), segment.address(), region.rkey(), SIGNALED);
                } else {
                    p.aQp().postRdmaWrite(
                        1, a.at(0), 8, a.region().lkey(), segment.address(), region.rkey(), SIGNALED);
                    p.aQp().postRdmaRead(
                        2, a.at(0), 8, a.region().lkey(), segment.address(), region.rkey(), SIGNALED);
                }
                p.aQp().ringDoorbell();
                assertEquals(List.of("1 SUCCESS", "2 REMOTE_ACCESS_ERROR"), a.await(2));
                p.end();
                region.close();
            }
        }
    }

    @Test
    void noOneReachesMemoryAfterItsRegionIsClosed() throws RdmaException {
        Pair p = connect();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = arena.allocate(4096);
            MemoryRegion region = b.pd().register(segment, EnumSet.allOf(Access.class));
            region.close();
            p.aQp().postRdmaWrite(1, a.at(0), 8, a.region().lkey(), segment.address(), region.rkey(), SIGNALED);
            p.aQp().ringDoorbell();
            assertEquals(List.of("1 REMOTE_ACCESS_ERROR"), a.await(1));
            assertEquals(0, segment.get(ValueLayout.JAVA_LONG, 0));
        }
        p.end();
    }

    @Test
    void localMemoryOutsideTheRegionIsAProtectionError() throws RdmaException {
        Pair p = connect();
        p.aQp().postRdmaWrite(1, a.at(0), 8, a.region().lkey(), b.at(0), b.region().rkey(), 0);
        p.aQp().postSend(2, a.at(MEMORY) - 4, 8, a.region().lkey(), 0);
        p.aQp().postSend(3, a.at(0), 8, a.region().lkey(), 0);
        p.aQp().ringDoorbell();
        assertEquals(List.of("2 LOCAL_PROTECTION_ERROR", "3 WORK_REQUEST_FLUSHED"), a.await(2));
        p.end();
    }

    @Test
    void messageLongerThanTheReceiveFailsOnBothSides() throws RdmaException {
        for (int length : new int[] {101, 50_000}) {
            Pair p = connect();
            p.bQp().postReceive(7, b.at(0), length - 1, b.region().lkey());
            p.bQp().postReceive(8, b.at(0), length, b.region().lkey());
            p.bQp().ringDoorbell();
            p.aQp().postSend(1, a.at(0), length, a.region().lkey(), SIGNALED);
            p.aQp().ringDoorbell();
            assertEquals(List.of("1 REMOTE_INVALID_REQUEST"), a.await(1));
            assertEquals(List.of("7 LOCAL_LENGTH_ERROR", "8 WORK_REQUEST_FLUSHED"), b.await(2));
            p.end();
        }
    }

    @Test
    void sendWaitsForAReceive() throws RdmaException {
        Pair p = connect();
        a.fill(0, 10_000, 3);
        p.aQp().postSend(1, a.at(0), 10_000, a.region().lkey(), SIGNALED);
        p.aQp().ringDoorbell();
        // the peer says that it is not ready, at least once
        while (a.count("rx.rnr-naks") == 0) {
            Thread.onSpinWait();
        }
        p.bQp().postReceive(7, b.at(0), 10_000, b.region().lkey());
        p.bQp().ringDoorbell();
        a.awaitSuccess(1);
        b.awaitSuccess(7);
        b.assertFilled(0, 10_000, 3);
        p.end();
    }

    @Test
    void queuePairsTakeFromASharedReceiveQueue() throws RdmaException {
        SharedReceiveQueue shared = b.device().createSharedReceiveQueue(b.pd(), 16);
        QueuePairSpec spec = new QueuePairSpec(b.pd(), b.queue(), b.queue(), Optional.of(shared), 16, 0);
        ConnectionParameters parameters = new ConnectionParameters(4, 4, 7, 7, false, true);
        Pair one = Pair.connect(a, a.spec(16), b, spec, SERVICE, parameters);
        Pair two = Pair.connect(a, a.spec(16), b, spec, ServiceId.rdmaTcp(5556), parameters);
        for (int i = 0; i < 16; i++) {
            shared.postReceive(i, b.at(i * 64L), 64, b.region().lkey());
        }
        assertThrows(RdmaException.class, () -> shared.postReceive(99, b.at(0), 64, b.region().lkey()));
        for (int i = 0; i < 16; i++) {
            QueuePair from = (i % 2 == 0 ? one : two).aQp();
            QueuePair to = (i % 2 == 0 ? one : two).bQp();
            a.fill(0, 64, i);
            from.postSend(i, a.at(0), 64, a.region().lkey(), SIGNALED);
            from.ringDoorbell();
            a.awaitSuccess(i);
            assertEquals(to.number(), b.awaitSuccess(i).queuePair());
            b.assertFilled(i * 64L, 64, i);
        }
        one.end();
        two.end();
        shared.close();
    }

    @Test
    void errorFlushesInOrderAndTheLastPostIsTheLastCompletion() throws RdmaException {
        Pair p = connect();
        for (int i = 0; i < 5; i++) {
            p.bQp().postReceive(100 + i, b.at(0), 8, b.region().lkey());
        }
        p.bQp().ringDoorbell();
        // no receive at the other side: these stay outstanding
        for (int i = 0; i < 5; i++) {
            p.bQp().postSend(i, b.at(0), 8, b.region().lkey(), i % 2 == 0 ? SIGNALED : 0);
        }
        p.bQp().ringDoorbell();
        p.bQp().moveToError();
        p.bQp().moveToError();
        p.bQp().postRdmaWrite(5, 0, 0, 0, 0, 0, SIGNALED);
        p.bQp().postReceive(105, b.at(0), 8, b.region().lkey());
        p.bQp().ringDoorbell();
        assertEquals(QpState.ERROR, p.bQp().state());
        List<Completed> all = IntStream.range(0, 12).mapToObj(i -> b.await()).toList();
        assertTrue(all.stream().allMatch(c -> c.status() == Status.WORK_REQUEST_FLUSHED), all::toString);
        assertEquals(
            List.of(0L, 1L, 2L, 3L, 4L, 5L),
            all.stream().filter(c -> c.opcode() != Opcode.RECEIVE).map(Completed::id).toList());
        assertEquals(
            List.of(100L, 101L, 102L, 103L, 104L, 105L),
            all.stream().filter(c -> c.opcode() == Opcode.RECEIVE).map(Completed::id).toList());
        p.end();
    }

    @Test
    void drainMarkerOfAQueuePairThatNeverWasConnectedCompletes() throws RdmaException {
        CmId id = a.channel().createId(b.gid(), SERVICE);
        QueuePair qp = id.createQueuePair(a.spec(4));
        qp.postReceive(1, a.at(0), 8, a.region().lkey());
        qp.ringDoorbell();
        assertThrows(RdmaException.class, () -> qp.postSend(2, a.at(0), 8, a.region().lkey(), SIGNALED));
        qp.moveToError();
        qp.postRdmaWrite(3, 0, 0, 0, 0, 0, SIGNALED);
        qp.ringDoorbell();
        List<String> both = a.await(2).stream().sorted().toList();
        assertEquals(List.of("1 WORK_REQUEST_FLUSHED", "3 WORK_REQUEST_FLUSHED"), both);
        qp.close();
        id.destroy();
    }

    @Test
    void fullQueuesRefuse() throws RdmaException {
        Pair p = Pair.connect(a, a.spec(3), b, b.spec(3), SERVICE, Pair.PARAMETERS);
        for (int i = 0; i < 3; i++) {
            p.aQp().postSend(i, a.at(0), 8, a.region().lkey(), 0);
            p.aQp().postReceive(i, a.at(0), 8, a.region().lkey());
        }
        assertThrows(RdmaException.class, () -> p.aQp().postSend(3, a.at(0), 8, a.region().lkey(), 0));
        assertThrows(RdmaException.class, () -> p.aQp().postReceive(3, a.at(0), 8, a.region().lkey()));
        p.end();
    }

    @Test
    void rejectsWithReasonAndPrivateData() throws RdmaException {
        CmId listener = b.channel().listen(SERVICE);
        CmId aId = a.channel().createId(b.gid(), SERVICE);
        QueuePair qp = aId.createQueuePair(a.spec(4));
        aId.connect(Pair.PARAMETERS, new byte[] {1});
        CmEvent.ConnectRequest request = b.event(CmEvent.ConnectRequest.class);
        byte[] why = {1, 2, 3, 4};
        request.id().reject(CmEvent.Rejected.CONSUMER_DEFINED, why);
        request.id().destroy();
        CmEvent.Rejected rejected = a.event(CmEvent.Rejected.class);
        assertEquals(CmEvent.Rejected.CONSUMER_DEFINED, rejected.reason());
        assertArrayEquals(why, Arrays.copyOf(rejected.privateData(), 4));
        qp.close();
        aId.destroy();
        listener.destroy();
    }

    @Test
    void serviceThatNoOneListensToIsRejected() throws RdmaException {
        CmId aId = a.channel().createId(b.gid(), new ServiceId(0x0002_c903_0000_1234L));
        QueuePair qp = aId.createQueuePair(a.spec(4));
        aId.connect(Pair.PARAMETERS, new byte[0]);
        assertEquals(CmEvent.Rejected.INVALID_SERVICE_ID, a.event(CmEvent.Rejected.class).reason());
        qp.close();
        aId.destroy();
    }

    @Test
    void aServiceIsListenedToOnce() throws RdmaException {
        CmId listener = b.channel().listen(SERVICE);
        assertThrows(RdmaException.class, () -> b.channel().listen(SERVICE));
        listener.destroy();
        b.channel().listen(SERVICE).destroy();
    }

    @Test
    void disconnectEndsBothSides() throws RdmaException {
        Pair p = connect();
        p.bQp().postReceive(1, b.at(0), 8, b.region().lkey());
        p.bQp().ringDoorbell();
        p.aId().disconnect();
        b.event(CmEvent.Disconnected.class);
        a.event(CmEvent.Disconnected.class);
        assertEquals(List.of("1 WORK_REQUEST_FLUSHED"), b.await(1));
        assertEquals(QpState.ERROR, p.aQp().state());
        p.end();
    }

    @Test
    void anIdIsDestroyedOnce() throws RdmaException {
        CmId id = a.channel().createId(b.gid(), SERVICE);
        id.destroy();
        assertThrows(IllegalStateException.class, id::destroy);
        assertThrows(IllegalStateException.class, id::disconnect);
    }

    @Test
    void completionQueueThatOverrunsFailsItsQueuePairs() throws RdmaException {
        CompletionQueue small = a.device().createCompletionQueue(2, () -> { });
        QueuePairSpec spec = new QueuePairSpec(a.pd(), small, a.queue(), Optional.empty(), 8, 8);
        Pair p = Pair.connect(a, spec, b, b.spec(8), SERVICE, Pair.PARAMETERS);
        p.aQp().postReceive(77, a.at(0), 8, a.region().lkey());
        for (int i = 0; i < 3; i++) {
            p.aQp().postRdmaWrite(i, 0, 0, 0, 0, 0, SIGNALED);
        }
        p.aQp().ringDoorbell();
        assertEquals(List.of("77 WORK_REQUEST_FLUSHED"), a.await(1));
        assertEquals(QpState.ERROR, p.aQp().state());
        p.end();
        small.close();
    }
}
