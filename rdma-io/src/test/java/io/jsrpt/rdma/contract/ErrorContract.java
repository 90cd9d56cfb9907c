package io.jsrpt.rdma.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import io.jsrpt.rdma.contract.ProviderContract.Scenario;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;

/** What goes wrong is told by the right completion at each end, costs that connection, and touches no memory. */
final class ErrorContract {
    private static final int BYTES = 8192;

    private ErrorContract() {}

    static List<Scenario> scenarios() {
        return List.of(
                new Scenario("SEND from memory without a key", (l, r) -> badLocal(l, r, Opcode.SEND, false)),
                new Scenario("WRITE from memory without a key", (l, r) -> badLocal(l, r, Opcode.RDMA_WRITE, false)),
                new Scenario("READ into memory without a key", (l, r) -> badLocal(l, r, Opcode.RDMA_READ, false)),
                new Scenario("SEND from beyond a region", (l, r) -> badLocal(l, r, Opcode.SEND, true)),
                new Scenario("WRITE from beyond a region", (l, r) -> badLocal(l, r, Opcode.RDMA_WRITE, true)),
                new Scenario("READ into beyond a region", (l, r) -> badLocal(l, r, Opcode.RDMA_READ, true)),
                new Scenario("local memory of another domain", ErrorContract::foreignLocal),
                new Scenario("WRITE with a key that is none", (l, r) -> badRemote(l, r, true, Wrong.KEY)),
                new Scenario("READ with a key that is none", (l, r) -> badRemote(l, r, false, Wrong.KEY)),
                new Scenario("WRITE beyond a region", (l, r) -> badRemote(l, r, true, Wrong.END)),
                new Scenario("READ beyond a region", (l, r) -> badRemote(l, r, false, Wrong.END)),
                new Scenario("WRITE before a region", (l, r) -> badRemote(l, r, true, Wrong.START)),
                new Scenario("READ before a region", (l, r) -> badRemote(l, r, false, Wrong.START)),
                new Scenario("WRITE over the end of addresses", (l, r) -> badRemote(l, r, true, Wrong.WRAPS)),
                new Scenario("READ over the end of addresses", (l, r) -> badRemote(l, r, false, Wrong.WRAPS)),
                new Scenario("WRITE without the right to", (l, r) -> badRemote(l, r, true, Wrong.RIGHT)),
                new Scenario("READ without the right to", (l, r) -> badRemote(l, r, false, Wrong.RIGHT)),
                new Scenario("WRITE to a region of no rights", (l, r) -> badRemote(l, r, true, Wrong.NO_RIGHTS)),
                new Scenario("READ of a region of no rights", (l, r) -> badRemote(l, r, false, Wrong.NO_RIGHTS)),
                new Scenario("WRITE to another domain", (l, r) -> badRemote(l, r, true, Wrong.DOMAIN)),
                new Scenario("READ of another domain", (l, r) -> badRemote(l, r, false, Wrong.DOMAIN)),
                new Scenario("WRITE to a closed region", (l, r) -> badRemote(l, r, true, Wrong.CLOSED)),
                new Scenario("READ of a closed region", (l, r) -> badRemote(l, r, false, Wrong.CLOSED)),
                new Scenario("a message longer than the receive", ErrorContract::receiveTooShort),
                new Scenario("a receive without a key", (l, r) -> badReceive(l, r, false)),
                new Scenario("a receive beyond a region", (l, r) -> badReceive(l, r, true)),
                new Scenario("no receive, no retry", ErrorContract::noReceive),
                new Scenario("a receive that comes late", ErrorContract::lateReceive),
                new Scenario("full queues", ErrorContract::fullQueues),
                new Scenario("an error costs one connection", ErrorContract::oneConnection));
    }

    /** What is wrong with the remote memory that a request names. */
    private enum Wrong {
        KEY,
        END,
        START,
        WRAPS,
        RIGHT,
        NO_RIGHTS,
        DOMAIN,
        CLOSED
    }

    private static void badLocal(Side left, Side right, Opcode opcode, boolean beyond) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion own = left.region(BYTES);
        MemoryRegion remote = right.region(2 * BYTES, Access.REMOTE_READ, Access.REMOTE_WRITE);
        pair.right().postReceive(1, remote, 0, BYTES);
        int length = beyond ? BYTES + 1 : BYTES;
        int lkey = beyond ? own.lkey() : own.lkey() ^ 0x5555_5500;
        long address = own.memory().address();
        long there = remote.memory().address();
        QueuePair qp = pair.left().qp();
        switch (opcode) {
            case SEND -> qp.postSend(7, address, length, lkey, 0);
            case RDMA_WRITE -> qp.postRdmaWrite(7, address, length, lkey, there, remote.rkey(), 0);
            case RDMA_READ -> qp.postRdmaRead(7, address, length, lkey, there, remote.rkey(), 0);
            case RECEIVE -> throw new IllegalArgumentException("not of the send queue");
        }
        qp.postSend(8, address, 1, own.lkey(), 0);
        qp.ringDoorbell();
        // failures complete, signalled or not
        pair.left().expectSend(7, Status.LOCAL_PROTECTION_ERROR, opcode);
        pair.left().expectSend(8, Status.WORK_REQUEST_FLUSHED, Opcode.SEND);
        assertEquals(QpState.ERROR, qp.state());
        assertAll(own, 0);
        assertAll(remote, 0);
    }

    private static void assertAll(MemoryRegion region, int value) {
        for (long i = 0; i < region.memory().byteSize(); i++) {
            assertEquals(value, region.memory().get(ValueLayout.JAVA_BYTE, i), "byte " + i);
        }
    }

    private static void foreignLocal(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        try (ProtectionDomain other = left.device().allocateProtectionDomain();
                MemoryRegion foreign = other.register(left.memory(BYTES), Set.of())) {
            pair.left().send(1, foreign, 0, BYTES);
            pair.left().expectSend(1, Status.LOCAL_PROTECTION_ERROR, Opcode.SEND);
        }
    }

    private static void badRemote(Side left, Side right, boolean write, Wrong wrong) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion own = left.region(BYTES);
        own.memory().fill((byte) (write ? 0x77 : 0));
        MemoryRegion receive = right.region(64);
        pair.right().postReceive(5, receive, 0, 64);
        Access needed = write ? Access.REMOTE_WRITE : Access.REMOTE_READ;
        Access other = write ? Access.REMOTE_READ : Access.REMOTE_WRITE;
        Access[] access = switch (wrong) {
            case RIGHT -> new Access[] {other};
            case NO_RIGHTS -> new Access[0];
            default -> new Access[] {needed};
        };
        MemoryRegion target = target(right, wrong, access);
        target.memory().fill((byte) (write ? 0 : 0x77));
        long start = target.memory().address();
        if (wrong == Wrong.CLOSED) {
            target.close();
        }
        long address = switch (wrong) {
            case END -> start + 1;
            case START -> start - 1;
            case WRAPS -> -16L;
            default -> start;
        };
        int rkey = wrong == Wrong.KEY ? target.rkey() ^ 0x5555_5500 : target.rkey();
        if (write) {
            pair.left().write(1, own, 0, BYTES, address, rkey);
        } else {
            pair.left().read(1, own, 0, BYTES, address, rkey);
        }
        Opcode opcode = write ? Opcode.RDMA_WRITE : Opcode.RDMA_READ;
        pair.left().expectSend(1, Status.REMOTE_ACCESS_ERROR, opcode);
        pair.right().expectReceive(5, Status.WORK_REQUEST_FLUSHED);
        assertEquals(QpState.ERROR, pair.left().qp().state());
        assertEquals(QpState.ERROR, pair.right().qp().state());
        assertAll(write ? target : own, 0);
    }

    private static MemoryRegion target(Side right, Wrong wrong, Access[] access) throws Exception {
        if (wrong != Wrong.DOMAIN) {
            return right.region(BYTES, access);
        }
        ProtectionDomain other = right.closeLater(right.device().allocateProtectionDomain());
        return right.closeLater(other.register(right.memory(BYTES), Set.of(access)));
    }

    private static void receiveTooShort(Side left, Side right) throws Exception {
        for (int length : new int[] {1, 4097, BYTES}) {
            Endpoint.Pair pair = Endpoint.connect(left, right);
            MemoryRegion from = left.region(BYTES);
            from.memory().fill((byte) 0x77);
            MemoryRegion to = right.region(BYTES);
            pair.right().postReceive(1, to, 0, length - 1);
            pair.left().send(2, from, 0, length);
            pair.right().expectReceive(1, Status.LOCAL_LENGTH_ERROR);
            pair.left().expectSend(2, Status.REMOTE_INVALID_REQUEST, Opcode.SEND);
            for (int i = length - 1; i < BYTES; i++) {
                assertEquals(0, to.memory().get(ValueLayout.JAVA_BYTE, i), "byte " + i);
            }
        }
    }

    private static void badReceive(Side left, Side right, boolean beyond) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = left.region(BYTES);
        from.memory().fill((byte) 0x77);
        MemoryRegion to = right.region(BYTES);
        long address = to.memory().address() + (beyond ? 1 : 0);
        pair.right().qp().postReceive(1, address, BYTES, beyond ? to.lkey() : to.lkey() ^ 0x5555_5500);
        pair.right().qp().ringDoorbell();
        pair.left().send(2, from, 0, BYTES);
        pair.right().expectReceive(1, Status.LOCAL_PROTECTION_ERROR);
        pair.left().expectSend(2, Status.REMOTE_OPERATION_ERROR, Opcode.SEND);
        if (!beyond) {
            assertAll(to, 0);
        }
    }

    private static void noReceive(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right, new ConnectionParameters(4, 4, 7, 0, true, false));
        MemoryRegion from = left.region(64);
        pair.left().send(1, from, 0, 64);
        pair.left().expectSend(1, Status.RNR_RETRY_EXCEEDED, Opcode.SEND);
        assertEquals(QpState.ERROR, pair.left().qp().state());
    }

    private static void lateReceive(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = left.region(BYTES);
        from.memory().fill((byte) 0x31);
        MemoryRegion to = right.region(2 * BYTES);
        MemoryRegion probe = left.region(64);
        MemoryRegion seen = right.region(64, Access.REMOTE_READ);
        pair.left().send(1, from, 0, BYTES);
        pair.left().send(2, from, 0, BYTES);
        // a request of the other direction goes on meanwhile, and shows that the SENDs have had their time
        for (int i = 0; i < 20; i++) {
            pair.right().qp().postRdmaWrite(10, 0, 0, 0, 0, 0, QueuePair.SIGNALED);
            pair.right().qp().ringDoorbell();
            pair.right().expectSend(10, Status.SUCCESS, Opcode.RDMA_WRITE);
        }
        pair.right().postReceive(3, to, 0, BYTES);
        pair.right().expectReceive(3, BYTES);
        pair.left().expectSend(1, Status.SUCCESS, Opcode.SEND);
        pair.right().postReceive(4, to, BYTES, BYTES);
        pair.right().expectReceive(4, BYTES);
        pair.left().expectSend(2, Status.SUCCESS, Opcode.SEND);
        pair.left().read(5, probe, 0, 64, seen.memory().address(), seen.rkey());
        pair.left().expectSend(5, Status.SUCCESS, Opcode.RDMA_READ);
        assertEquals(-1, to.memory().asSlice(0, BYTES).mismatch(from.memory()));
        assertEquals(-1, to.memory().asSlice(BYTES, BYTES).mismatch(from.memory()));
    }

    private static void fullQueues(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion own = left.region(64);
        for (int i = 0; i < Side.DEPTH; i++) {
            pair.left().postReceive(i, own, 0, 64);
        }
        assertThrows(RdmaException.class, () -> pair.left().postReceive(99, own, 0, 64));
        QueuePair qp = pair.left().qp();
        long address = own.memory().address();
        for (int i = 0; i < Side.DEPTH; i++) {
            qp.postSend(i, address, 64, own.lkey(), 0);
        }
        assertThrows(RdmaException.class, () -> qp.postSend(99, address, 64, own.lkey(), 0));
        qp.ringDoorbell();
        qp.moveToError();
        for (int i = 0; i < Side.DEPTH; i++) {
            pair.left().expectReceive(i, Status.WORK_REQUEST_FLUSHED);
            pair.left().expectSend(i, Status.WORK_REQUEST_FLUSHED, Opcode.SEND);
        }
    }

    private static void oneConnection(Side left, Side right) throws Exception {
        Endpoint.Pair good = Endpoint.connect(left, right);
        Endpoint.Pair bad = Endpoint.connect(left, right);
        MemoryRegion from = left.region(64);
        MemoryRegion to = right.region(64);
        bad.left().write(1, from, 0, 64, to.memory().address(), to.rkey() ^ 0x5555_5500);
        bad.left().expectSend(1, Status.REMOTE_ACCESS_ERROR, Opcode.RDMA_WRITE);
        good.right().postReceive(2, to, 0, 64);
        good.left().send(3, from, 0, 64);
        good.right().expectReceive(2, 64);
        good.left().expectSend(3, Status.SUCCESS, Opcode.SEND);
        Endpoint.Pair another = Endpoint.connect(left, right);
        assertEquals(QpState.RTS, another.left().qp().state());
    }
}
