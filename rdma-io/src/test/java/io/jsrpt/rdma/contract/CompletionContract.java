package io.jsrpt.rdma.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import io.jsrpt.rdma.contract.ProviderContract.Scenario;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** What completes, in which order, who is notified, and what a flush looks like. */
final class CompletionContract {
    private static final byte[] NOTHING = {};

    private CompletionContract() {}

    static List<Scenario> scenarios() {
        return List.of(
                new Scenario("unsignalled work does not complete", CompletionContract::unsignalled),
                new Scenario("no notification is lost", CompletionContract::pingPong),
                new Scenario("one notification an arm", CompletionContract::oneNotification),
                new Scenario("one queue for both kinds", CompletionContract::oneQueue),
                new Scenario("a flush is in order and complete", CompletionContract::flushes),
                new Scenario("what is posted after the error is last", CompletionContract::lastCompletion),
                new Scenario("the last completion comes after all READs", CompletionContract::lastAfterReads),
                new Scenario("the error state before the connection", CompletionContract::errorBeforehand),
                new Scenario("a drain marker without a connection", CompletionContract::markerBeforehand),
                new Scenario("a queue that overruns costs its queue pairs", CompletionContract::overrun),
                new Scenario("the peer's error does not lose what arrived", CompletionContract::arrivedBefore));
    }

    private static void unsignalled(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = left.region(64);
        MemoryRegion to = right.region(64);
        // more than the queue holds: an unsignalled one gives its place back with the next that is signalled
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < Side.DEPTH; i++) {
                pair.right().postReceive(i, to, 0, 64);
            }
            for (int i = 1; i < Side.DEPTH; i++) {
                pair.left().qp().postSend(i, from.memory().address(), 64, from.lkey(), 0);
            }
            pair.left().send(99, from, 0, 64);
            pair.left().expectSend(99, Status.SUCCESS, Opcode.SEND);
            for (int i = 0; i < Side.DEPTH; i++) {
                pair.right().expectReceive(i, 64);
            }
            pair.left().expectNoMore();
        }
    }

    private static void pingPong(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion a = left.region(64);
        MemoryRegion b = right.region(64);
        for (int i = 0; i < 2000; i++) {
            pair.left().postReceive(1, a, 0, 64);
            pair.right().postReceive(2, b, 0, 64);
            pair.left().send(3, a, 0, 64);
            pair.right().expectReceive(2, 64);
            pair.right().send(4, b, 0, 64);
            pair.left().expectReceive(1, 64);
            pair.left().expectSend(3, Status.SUCCESS, Opcode.SEND);
            pair.right().expectSend(4, Status.SUCCESS, Opcode.SEND);
        }
    }

    private static void oneNotification(Side left, Side right) throws Exception {
        AtomicInteger notifications = new AtomicInteger();
        CompletionQueue queue = right.device().createCompletionQueue(Side.DEPTH, notifications::incrementAndGet);
        right.listen(Side.RDMA_CM);
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        active.id().connect(Side.PARAMETERS, NOTHING);
        CmId id = right.next(CmEvent.ConnectRequest.class).id();
        QueuePair qp = id.createQueuePair(
                new QueuePairSpec(right.pd(), right.completionQueue(), queue, Optional.empty(), 1, Side.DEPTH));
        id.accept(Side.PARAMETERS, NOTHING);
        left.next(CmEvent.Established.class);
        right.next(CmEvent.Established.class);
        MemoryRegion from = left.region(64);
        MemoryRegion to = right.region(64);
        for (int i = 0; i < 8; i++) {
            qp.postReceive(i, to.memory().address(), 64, to.lkey());
        }
        qp.ringDoorbell();
        queue.arm();
        for (int i = 0; i < 8; i++) {
            active.send(i, from, 0, 64);
            active.expectSend(i, Status.SUCCESS, Opcode.SEND);
        }
        WorkCompletion completion = new WorkCompletion();
        for (int i = 0; i < 8; i++) {
            // the acknowledgement may overtake the completion
            spinUntil(() -> queue.poll(completion));
            assertEquals(i, completion.workRequestId());
        }
        spinUntil(() -> notifications.get() > 0);
        assertEquals(1, notifications.get());
        qp.close();
        id.destroy();
        queue.close();
    }

    private static void spinUntil(BooleanSupplier condition) {
        long began = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - began < 15_000_000_000L, "it did not come about");
            Thread.onSpinWait();
        }
    }

    private static void oneQueue(Side left, Side right) throws Exception {
        right.listen(Side.RDMA_CM);
        CmId id = left.events().createId(right.gid(), Side.RDMA_CM);
        CompletionQueue both = left.completionQueue();
        QueuePair qp = id.createQueuePair(new QueuePairSpec(left.pd(), both, both, Optional.empty(), 4, 4));
        id.connect(Side.PARAMETERS, NOTHING);
        Endpoint passive = Endpoint.accept(right, Side.PARAMETERS, Optional.empty());
        left.next(CmEvent.Established.class);
        right.next(CmEvent.Established.class);
        Endpoint active = new Endpoint(left, id, qp, both, both);
        MemoryRegion a = left.region(64);
        MemoryRegion b = right.region(64);
        active.postReceive(1, a, 0, 64);
        passive.postReceive(2, b, 0, 64);
        active.send(3, a, 0, 10);
        active.expectSend(3, Status.SUCCESS, Opcode.SEND);
        passive.send(4, b, 0, 11);
        active.expectReceive(1, 11);
        passive.expectReceive(2, 10);
        active.close();
    }

    private static void flushes(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion own = left.region(64);
        for (int i = 0; i < 10; i++) {
            pair.left().postReceive(100 + i, own, 0, 64);
        }
        // no receive at the other side: these stay outstanding
        for (int i = 0; i < 10; i++) {
            pair.left().qp().postSend(i, own.memory().address(), 64, own.lkey(), i % 2 == 0 ? QueuePair.SIGNALED : 0);
        }
        pair.left().qp().ringDoorbell();
        pair.left().qp().moveToError();
        pair.left().qp().moveToError();
        for (int i = 0; i < 10; i++) {
            pair.left().expectSend(i, Status.WORK_REQUEST_FLUSHED, Opcode.SEND);
            pair.left().expectReceive(100 + i, Status.WORK_REQUEST_FLUSHED);
        }
        pair.left().postReceive(200, own, 0, 64);
        pair.left().expectReceive(200, Status.WORK_REQUEST_FLUSHED);
        pair.left().expectNoMore();
        assertEquals(QpState.ERROR, pair.left().qp().state());
    }

    private static void lastCompletion(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion own = left.region(64);
        MemoryRegion to = right.region(64);
        for (int i = 0; i < 10; i++) {
            pair.right().postReceive(i, to, 0, 64);
        }
        for (int i = 0; i < 20; i++) {
            pair.left().qp().postSend(i, own.memory().address(), 64, own.lkey(), QueuePair.SIGNALED);
        }
        pair.left().qp().ringDoorbell();
        pair.left().qp().moveToError();
        pair.left().qp().postSend(1000, 0, 0, 0, QueuePair.SIGNALED);
        pair.left().qp().ringDoorbell();
        boolean flushed = false;
        for (int i = 0; i < 20; i++) {
            WorkCompletion c = pair.left().nextSend();
            assertEquals(i, c.workRequestId());
            assertTrue(c.status() == Status.WORK_REQUEST_FLUSHED || (c.status() == Status.SUCCESS && !flushed));
            flushed |= c.status() == Status.WORK_REQUEST_FLUSHED;
        }
        pair.left().expectSend(1000, Status.WORK_REQUEST_FLUSHED, Opcode.SEND);
        pair.left().expectNoMore();
    }

    private static void lastAfterReads(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        int size = 1 << 20;
        MemoryRegion to = left.region(size);
        MemoryRegion from = right.region(size, Access.REMOTE_READ);
        for (int i = 0; i < 10; i++) {
            pair.left().read(i, to, 0, size, from.memory().address(), from.rkey());
        }
        pair.left().qp().moveToError();
        pair.left().send(1000, to, 0, 1);
        for (int i = 0; i < 10; i++) {
            assertEquals(i, pair.left().nextSend().workRequestId());
        }
        pair.left().expectSend(1000, Status.WORK_REQUEST_FLUSHED, Opcode.SEND);
        // no READ response is written any more: the memory is its owner's again
        to.memory().fill((byte) 0x42);
        pair.right().id().disconnect();
        left.next(CmEvent.Disconnected.class);
        for (long i = 0; i < size; i += 511) {
            assertEquals(0x42, to.memory().get(ValueLayout.JAVA_BYTE, i));
        }
        pair.left().expectNoMore();
    }

    private static void errorBeforehand(Side left, Side right) throws Exception {
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        MemoryRegion own = left.region(64);
        active.postReceive(1, own, 0, 64);
        active.qp().moveToError();
        active.postReceive(2, own, 0, 64);
        active.expectReceive(1, Status.WORK_REQUEST_FLUSHED);
        active.expectReceive(2, Status.WORK_REQUEST_FLUSHED);
        active.expectNoMore();
    }

    private static void markerBeforehand(Side left, Side right) throws Exception {
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        MemoryRegion own = left.region(64);
        active.postReceive(1, own, 0, 64);
        active.qp().moveToError();
        // of no bytes, so it needs no memory: what an owner posts to learn that nothing is outstanding
        active.qp().postRdmaWrite(2, 0, 0, 0, 0, 0, QueuePair.SIGNALED);
        active.qp().ringDoorbell();
        active.expectSend(2, Status.WORK_REQUEST_FLUSHED, Opcode.RDMA_WRITE);
        active.expectReceive(1, Status.WORK_REQUEST_FLUSHED);
        active.expectNoMore();
    }

    private static void overrun(Side left, Side right) throws Exception {
        right.listen(Side.RDMA_CM);
        CmId id = left.events().createId(right.gid(), Side.RDMA_CM);
        CompletionQueue small = left.closeLater(left.device().createCompletionQueue(2, () -> { }));
        CompletionQueue receives = left.completionQueue();
        QueuePair qp = id.createQueuePair(
                new QueuePairSpec(left.pd(), small, receives, Optional.empty(), Side.DEPTH, Side.DEPTH));
        Endpoint active = left.closeLater(new Endpoint(left, id, qp, small, receives));
        id.connect(Side.PARAMETERS, NOTHING);
        Endpoint passive = Endpoint.accept(right, Side.PARAMETERS, Optional.empty());
        left.next(CmEvent.Established.class);
        right.next(CmEvent.Established.class);
        MemoryRegion own = left.region(64);
        active.postReceive(77, own, 0, 64);
        for (int i = 0; i < 3; i++) {
            qp.postRdmaWrite(i, 0, 0, 0, 0, 0, QueuePair.SIGNALED);
        }
        qp.ringDoorbell();
        active.expectReceive(77, Status.WORK_REQUEST_FLUSHED);
        assertEquals(QpState.ERROR, qp.state());
        assertEquals(QpState.RTS, passive.qp().state());
    }

    private static void arrivedBefore(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = left.region(64);
        MemoryRegion to = right.region(64);
        for (int i = 0; i < 8; i++) {
            pair.right().postReceive(i, to, 0, 64);
        }
        for (int i = 0; i < 4; i++) {
            pair.left().send(i, from, 0, 64);
        }
        pair.left().expectSend(0, Status.SUCCESS, Opcode.SEND);
        pair.left().expectSend(1, Status.SUCCESS, Opcode.SEND);
        pair.left().expectSend(2, Status.SUCCESS, Opcode.SEND);
        pair.left().expectSend(3, Status.SUCCESS, Opcode.SEND);
        pair.right().qp().moveToError();
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            WorkCompletion c = pair.right().nextReceive();
            assertEquals(i < 4 ? Status.SUCCESS : Status.WORK_REQUEST_FLUSHED, c.status());
            assertTrue(seen.add(c.workRequestId()), "completed twice: " + c);
        }
        pair.right().expectNoMore();
    }
}
