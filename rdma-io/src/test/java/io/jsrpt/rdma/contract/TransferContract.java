package io.jsrpt.rdma.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import io.jsrpt.rdma.contract.ProviderContract.Scenario;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;

/** SEND, RDMA WRITE and RDMA READ bring the bytes where they belong, and nowhere else, in order. */
final class TransferContract {
    private static final int[] SIZES = {
        0, 1, 2, 3, 4, 5, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 8192, 65_535, 65_536, 262_147, 1 << 20
    };
    private static final int LARGEST = 1 << 20;
    /** Odd, so that nothing is aligned. */
    private static final int FROM = 13;

    private static final int TO = 37;
    private static final int GUARD = 64;

    private TransferContract() {}

    static List<Scenario> scenarios() {
        return List.of(
                new Scenario("SEND of many sizes", TransferContract::sends),
                new Scenario("RDMA WRITE of many sizes", TransferContract::writes),
                new Scenario("RDMA READ of many sizes", TransferContract::reads),
                new Scenario("a WRITE of nothing needs no memory", TransferContract::writesNothing),
                new Scenario("SENDs arrive in the order posted", TransferContract::manySends),
                new Scenario("WRITEs are there before the SEND after them", TransferContract::writesThenSend),
                new Scenario("more READs than may be outstanding", TransferContract::manyReads),
                new Scenario("kinds mixed complete in the order posted", TransferContract::mixed),
                new Scenario("both directions at a time", TransferContract::bothDirections),
                new Scenario("to and from oneself", (left, _) -> loop(left)));
    }

    private static MemoryRegion filled(Side side, long seed, Access... access) throws Exception {
        MemoryRegion region = side.region(LARGEST + 2 * GUARD, access);
        byte[] bytes = new byte[LARGEST + 2 * GUARD];
        new Random(seed).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, region.memory(), ValueLayout.JAVA_BYTE, 0, bytes.length);
        return region;
    }

    /** The bytes went from one place to the other; what is around them stayed what it was. */
    private static void assertMoved(MemoryRegion from, MemoryRegion to, MemorySegment before, int bytes) {
        MemorySegment moved = to.memory().asSlice(TO, bytes);
        assertEquals(-1, moved.mismatch(from.memory().asSlice(FROM, bytes)), "first difference of " + bytes);
        MemorySegment ahead = to.memory().asSlice(0, TO);
        assertEquals(-1, ahead.mismatch(before.asSlice(0, TO)), "written before the place");
        MemorySegment behind = to.memory().asSlice(TO + (long) bytes, GUARD);
        assertEquals(-1, behind.mismatch(before.asSlice(TO + (long) bytes, GUARD)), "written behind the place");
    }

    private static MemorySegment copyOf(MemoryRegion region) {
        return MemorySegment.ofArray(region.memory().toArray(ValueLayout.JAVA_BYTE));
    }

    private static void sends(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = filled(left, 1);
        for (int bytes : SIZES) {
            MemoryRegion to = filled(right, bytes + 2L);
            MemorySegment before = copyOf(to);
            pair.right().postReceive(bytes, to, TO, bytes);
            pair.left().send(bytes + 1L, from, FROM, bytes);
            pair.right().expectReceive(bytes, bytes);
            assertMoved(from, to, before, bytes);
            pair.left().expectSend(bytes + 1L, Status.SUCCESS, Opcode.SEND);
        }
        pair.left().expectNoMore();
        pair.right().expectNoMore();
    }

    private static void writes(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = filled(left, 1);
        for (int bytes : SIZES) {
            MemoryRegion to = filled(right, bytes + 2L, Access.REMOTE_WRITE);
            MemorySegment before = copyOf(to);
            pair.left().write(bytes, from, FROM, bytes, to.memory().address() + TO, to.rkey());
            pair.left().expectSend(bytes, Status.SUCCESS, Opcode.RDMA_WRITE);
            assertMoved(from, to, before, bytes);
        }
        pair.right().expectNoMore();
    }

    private static void reads(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = filled(right, 1, Access.REMOTE_READ);
        for (int bytes : SIZES) {
            MemoryRegion to = filled(left, bytes + 2L);
            MemorySegment before = copyOf(to);
            pair.left().read(bytes, to, TO, bytes, from.memory().address() + FROM, from.rkey());
            pair.left().expectSend(bytes, Status.SUCCESS, Opcode.RDMA_READ);
            assertMoved(from, to, before, bytes);
        }
        pair.right().expectNoMore();
    }

    private static void writesNothing(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        pair.left().qp().postRdmaWrite(1, 0, 0, 0, 0xdead_0000_0000L, 0x1234_5678, QueuePair.SIGNALED);
        pair.left().qp().ringDoorbell();
        pair.left().expectSend(1, Status.SUCCESS, Opcode.RDMA_WRITE);
        pair.right().qp().postRdmaWrite(2, 0, 0, 0, 0, 0, QueuePair.SIGNALED);
        pair.right().qp().ringDoorbell();
        pair.right().expectSend(2, Status.SUCCESS, Opcode.RDMA_WRITE);
    }

    private static void manySends(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = filled(left, 1);
        MemoryRegion to = filled(right, 2);
        int size = 5000;
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < Side.DEPTH; i++) {
                pair.right().postReceive(i, to, (long) i * size, size);
            }
            for (int i = 0; i < Side.DEPTH; i++) {
                int flags = i == Side.DEPTH - 1 ? QueuePair.SIGNALED : 0;
                long address = from.memory().address() + (long) i * size;
                pair.left().qp().postSend(i, address, size - i, from.lkey(), flags);
            }
            pair.left().qp().ringDoorbell();
            for (int i = 0; i < Side.DEPTH; i++) {
                pair.right().expectReceive(i, size - i);
                long at = (long) i * size;
                MemorySegment arrived = to.memory().asSlice(at, size - (long) i);
                assertEquals(-1, arrived.mismatch(from.memory().asSlice(at, size - (long) i)), "message " + i);
            }
            pair.left().expectSend(Side.DEPTH - 1, Status.SUCCESS, Opcode.SEND);
            pair.left().expectNoMore();
        }
    }

    private static void writesThenSend(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = filled(left, 1);
        MemoryRegion to = filled(right, 2, Access.REMOTE_WRITE);
        MemoryRegion receive = right.region(64);
        int half = LARGEST / 2;
        for (int round = 0; round < 10; round++) {
            to.memory().fill((byte) round);
            pair.right().postReceive(round, receive, 0, 64);
            for (int i = 0; i < 2; i++) {
                long at = (long) i * half;
                pair.left().qp().postRdmaWrite(
                        i, from.memory().address() + at, half, from.lkey(), to.memory().address() + at, to.rkey(), 0);
            }
            pair.left().send(9, from, 0, 64);
            pair.right().expectReceive(round, 64);
            assertEquals(-1, to.memory().asSlice(0, LARGEST).mismatch(from.memory().asSlice(0, LARGEST)));
            pair.left().expectSend(9, Status.SUCCESS, Opcode.SEND);
        }
        pair.left().expectNoMore();
    }

    private static void manyReads(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = filled(right, 1, Access.REMOTE_READ);
        MemoryRegion to = filled(left, 2);
        int size = 10_001;
        for (int i = 0; i < Side.DEPTH; i++) {
            long at = (long) i * size;
            pair.left().qp().postRdmaRead(
                    i,
                    to.memory().address() + at,
                    size,
                    to.lkey(),
                    from.memory().address() + at,
                    from.rkey(),
                    QueuePair.SIGNALED);
        }
        pair.left().qp().ringDoorbell();
        for (int i = 0; i < Side.DEPTH; i++) {
            pair.left().expectSend(i, Status.SUCCESS, Opcode.RDMA_READ);
        }
        long all = (long) Side.DEPTH * size;
        assertEquals(-1, to.memory().asSlice(0, all).mismatch(from.memory().asSlice(0, all)));
    }

    private static void mixed(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion local = filled(left, 1);
        MemoryRegion remote = filled(right, 2, Access.REMOTE_READ, Access.REMOTE_WRITE);
        MemoryRegion receive = right.region(8 * 64);
        for (int i = 0; i < 8; i++) {
            pair.right().postReceive(i, receive, i * 64L, 64);
        }
        int size = 9000;
        for (int i = 0; i < 8; i++) {
            long at = 3L * i * size;
            long here = local.memory().address() + at;
            long there = remote.memory().address() + at;
            QueuePair qp = pair.left().qp();
            qp.postRdmaWrite(3L * i, here, size, local.lkey(), there, remote.rkey(), QueuePair.SIGNALED);
            // reads back what was written just before
            qp.postRdmaRead(
                    3L * i + 1, here + size, size, local.lkey(), there, remote.rkey(), QueuePair.SIGNALED);
            qp.postSend(3L * i + 2, here, 64, local.lkey(), QueuePair.SIGNALED);
        }
        pair.left().qp().ringDoorbell();
        for (int i = 0; i < 8; i++) {
            pair.left().expectSend(3L * i, Status.SUCCESS, Opcode.RDMA_WRITE);
            pair.left().expectSend(3L * i + 1, Status.SUCCESS, Opcode.RDMA_READ);
            pair.left().expectSend(3L * i + 2, Status.SUCCESS, Opcode.SEND);
            pair.right().expectReceive(i, 64);
            long at = 3L * i * size;
            assertEquals(
                    -1, local.memory().asSlice(at, size).mismatch(local.memory().asSlice(at + size, size)));
        }
    }

    private static void bothDirections(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion a = filled(left, 1, Access.REMOTE_READ, Access.REMOTE_WRITE);
        MemoryRegion b = filled(right, 2, Access.REMOTE_READ, Access.REMOTE_WRITE);
        long half = LARGEST / 2;
        MemorySegment firstOfA = MemorySegment.ofArray(a.memory().asSlice(0, half).toArray(ValueLayout.JAVA_BYTE));
        MemorySegment firstOfB = MemorySegment.ofArray(b.memory().asSlice(0, half).toArray(ValueLayout.JAVA_BYTE));
        // each reads the other's first half into its own second half, and both do it at the same time
        pair.left().read(1, a, half, (int) half, b.memory().address(), b.rkey());
        pair.right().read(2, b, half, (int) half, a.memory().address(), a.rkey());
        pair.left().expectSend(1, Status.SUCCESS, Opcode.RDMA_READ);
        pair.right().expectSend(2, Status.SUCCESS, Opcode.RDMA_READ);
        assertEquals(-1, a.memory().asSlice(half, half).mismatch(firstOfB));
        assertEquals(-1, b.memory().asSlice(half, half).mismatch(firstOfA));
        for (int i = 0; i < 16; i++) {
            pair.left().postReceive(i, a, i * 4096L, 4096);
            pair.right().postReceive(i, b, i * 4096L, 4096);
        }
        for (int i = 0; i < 16; i++) {
            pair.left().send(100L + i, a, half, 4096);
            pair.right().send(200L + i, b, half, 4096);
        }
        for (int i = 0; i < 16; i++) {
            pair.left().expectReceive(i, 4096);
            pair.right().expectReceive(i, 4096);
            pair.left().expectSend(100L + i, Status.SUCCESS, Opcode.SEND);
            pair.right().expectSend(200L + i, Status.SUCCESS, Opcode.SEND);
        }
    }

    /** Both ends of a connection may be on the same device. */
    private static void loop(Side left) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, left);
        MemoryRegion from = filled(left, 1, Access.REMOTE_READ);
        MemoryRegion to = filled(left, 2);
        pair.right().postReceive(1, to, TO, 9000);
        pair.left().send(2, from, FROM, 9000);
        pair.right().expectReceive(1, 9000);
        pair.left().expectSend(2, Status.SUCCESS, Opcode.SEND);
        pair.right().read(3, to, 0, 9000, from.memory().address(), from.rkey());
        pair.right().expectSend(3, Status.SUCCESS, Opcode.RDMA_READ);
        assertEquals(-1, to.memory().asSlice(0, 9000).mismatch(from.memory().asSlice(0, 9000)));
    }
}
