package io.jsrpt.rdma.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.SharedReceiveQueue;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import io.jsrpt.rdma.contract.ProviderContract.Scenario;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Queue pairs that take their receives from one queue. */
final class SharedReceiveContract {
    private static final ConnectionParameters SHARED = new ConnectionParameters(4, 4, 7, 7, true, true);
    private static final byte[] NOTHING = {};

    private SharedReceiveContract() {}

    static List<Scenario> scenarios() {
        return List.of(
                new Scenario("two queue pairs take from one queue", SharedReceiveContract::twoQueuePairs),
                new Scenario("an empty queue makes senders wait", SharedReceiveContract::empty),
                new Scenario("a full queue refuses", SharedReceiveContract::full),
                new Scenario("a flush leaves the shared receives alone", SharedReceiveContract::flush));
    }

    private static Endpoint.Pair connect(Side left, Side right, SharedReceiveQueue shared) throws Exception {
        CmId listener = right.events().listen(Side.RDMA_CM);
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        active.id().connect(Side.PARAMETERS, NOTHING);
        Endpoint passive = Endpoint.accept(right, SHARED, Optional.of(shared));
        left.next(CmEvent.Established.class);
        right.next(CmEvent.Established.class);
        listener.destroy();
        return new Endpoint.Pair(active, passive);
    }

    private static void post(SharedReceiveQueue shared, MemoryRegion region, int from, int to) throws RdmaException {
        for (int i = from; i < to; i++) {
            shared.postReceive(i, region.memory().address() + i * 64L, 64, region.lkey());
        }
    }

    private static void twoQueuePairs(Side left, Side right) throws Exception {
        SharedReceiveQueue shared = right.sharedReceiveQueue(32);
        MemoryRegion receive = right.region(64 * 64);
        MemoryRegion from = left.region(64);
        post(shared, receive, 0, 16);
        Endpoint.Pair one = connect(left, right, shared);
        Endpoint.Pair two = connect(left, right, shared);
        post(shared, receive, 16, 32);
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            one.left().send(i, from, 0, 10 + i);
            two.left().send(i, from, 0, 40 + i);
            take(one.right(), 10 + i, seen);
            take(two.right(), 40 + i, seen);
            one.left().expectSend(i, Status.SUCCESS, Opcode.SEND);
            two.left().expectSend(i, Status.SUCCESS, Opcode.SEND);
        }
        assertEquals(32, seen.size());
    }

    private static void take(Endpoint endpoint, int bytes, Set<Long> seen) {
        WorkCompletion c = endpoint.nextReceive();
        assertEquals(Status.SUCCESS, c.status());
        assertEquals(bytes, c.byteLength());
        assertEquals(endpoint.qp().number(), c.queuePairNumber());
        assertTrue(seen.add(c.workRequestId()), "completed twice: " + c);
    }

    private static void empty(Side left, Side right) throws Exception {
        SharedReceiveQueue shared = right.sharedReceiveQueue(4);
        Endpoint.Pair pair = connect(left, right, shared);
        MemoryRegion receive = right.region(4 * 64);
        MemoryRegion from = left.region(64);
        for (int i = 0; i < 8; i++) {
            pair.left().send(i, from, 0, 64);
        }
        for (int i = 0; i < 8; i++) {
            post(shared, receive, i % 4, i % 4 + 1);
            pair.right().expectReceive(i % 4, 64);
            pair.left().expectSend(i, Status.SUCCESS, Opcode.SEND);
        }
    }

    private static void full(Side left, Side right) throws Exception {
        SharedReceiveQueue shared = right.sharedReceiveQueue(4);
        MemoryRegion receive = right.region(8 * 64);
        post(shared, receive, 0, 4);
        assertThrows(RdmaException.class, () -> post(shared, receive, 4, 5));
        Endpoint.Pair pair = connect(left, right, shared);
        pair.left().send(1, left.region(64), 0, 64);
        pair.right().expectReceive(0, 64);
        post(shared, receive, 4, 5);
        assertThrows(RdmaException.class, () -> post(shared, receive, 5, 6));
    }

    private static void flush(Side left, Side right) throws Exception {
        SharedReceiveQueue shared = right.sharedReceiveQueue(4);
        MemoryRegion receive = right.region(4 * 64);
        MemoryRegion from = left.region(64);
        Endpoint.Pair bad = connect(left, right, shared);
        Endpoint.Pair good = connect(left, right, shared);
        post(shared, receive, 0, 2);
        bad.right().qp().moveToError();
        good.left().send(1, from, 0, 64);
        good.right().expectReceive(0, 64);
        good.left().send(2, from, 0, 64);
        good.right().expectReceive(1, 64);
        bad.right().expectNoMore();
    }
}
