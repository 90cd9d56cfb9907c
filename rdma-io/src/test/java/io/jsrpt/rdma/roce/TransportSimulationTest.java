package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import io.jsrpt.rdma.roce.SimulatedLink.Faults;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Both ends of a connection work at once over a link that loses, repeats and reorders packets: everything completes, in
 * order, and every byte is where it belongs. A failure names its seed.
 */
class TransportSimulationTest {
    private static final int SEEDS = 24;
    private static final int OPERATIONS = 40;
    private static final int ROOM = 1 << 16;
    private static final int AREA = OPERATIONS * ROOM;

    /** Layout of each side's memory: sources, then targets of the peer's writes, of own reads, of receives. */
    private static final long SOURCE = 0;

    private static final long WRITTEN = AREA;
    private static final long READ = 2L * AREA;
    private static final long RECEIVED = 3L * AREA;

    @ParameterizedTest
    @EnumSource(PathMtu.class)
    void everythingArrivesOverAPerfectLink(PathMtu mtu) {
        for (int seed = 0; seed < SEEDS / 4; seed++) {
            new Run(mtu, Faults.NONE, seed).go();
        }
    }

    @ParameterizedTest
    @EnumSource(PathMtu.class)
    void everythingArrivesOverALossyLink(PathMtu mtu) {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Run(mtu, new Faults(0.02, 0, 0), 1000 + seed).go();
        }
    }

    @ParameterizedTest
    @EnumSource(PathMtu.class)
    void everythingArrivesOverALinkThatRepeatsAndReorders(PathMtu mtu) {
        for (int seed = 0; seed < SEEDS; seed++) {
            new Run(mtu, new Faults(0.01, 0.05, 0.05), 2000 + seed).go();
        }
    }

    /** One seed. */
    private static final class Run {
        private final long seed;
        private final Random random;
        private final Side a;
        private final Side b;
        private final SimulatedLink link;
        private final Plan plan;
        private final List<Operation> fromA = new ArrayList<>();
        private final List<Operation> fromB = new ArrayList<>();

        private record Operation(int kind, int length, int flags) {}

        private record Plan(int mtu, Tuning tuning, int depth) {}

        Run(PathMtu mtu, Faults faults, long seed) {
            this.seed = seed;
            random = new Random(seed);
            boolean shared = random.nextBoolean();
            a = new Side(0x123456, 4 * AREA, shared);
            b = new Side(0xfedcba, 4 * AREA);
            link = new SimulatedLink(a, b, faults, seed);
            int window = 2 << random.nextInt(6);
            int half = window / 2;
            Tuning tuning = new Tuning(
                window,
                1 + random.nextInt(half),
                1 + random.nextInt(half),
                1 + random.nextInt(64),
                1 + random.nextInt(1_000_000));
            plan = new Plan(mtu.bytes(), tuning, 1 + random.nextInt(8));
            connect();
        }

        private void connect() {
            // near the end of the numbers, so that they wrap
            int psnA = 0xffffff - random.nextInt(200);
            int psnB = random.nextBoolean() ? 0xffffff : random.nextInt(1 << 24);
            ready(a, b, psnB, psnA);
            ready(b, a, psnA, psnB);
        }

        private void ready(Side side, Side peer, int receivePsn, int sendPsn) {
            boolean credits = !side.engine.shared();
            assertTrue(side.engine.readyToReceive(
                side.connection(peer.number, plan.mtu()),
                new Responder.Attributes(receivePsn, plan.depth(), 5, credits),
                plan.tuning(),
                () -> { }));
            assertTrue(side.engine.readyToSend(
                new Requester.Attributes(sendPsn, plan.depth(), 7, 7, 5_000_000), plan.tuning()));
        }

        void go() {
            try {
                plan(fromA);
                plan(fromB);
                fill(a);
                fill(b);
                work();
                verify(a, b, fromA);
                verify(b, a, fromB);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " " + plan + ": " + e.getMessage(), e);
            }
        }

        private void plan(List<Operation> operations) {
            for (int i = 0; i < OPERATIONS; i++) {
                int length = switch (random.nextInt(6)) {
                    case 0 -> 0;
                    case 1 -> random.nextInt(64);
                    case 2 -> plan.mtu();
                    case 3 -> plan.mtu() * (1 + random.nextInt(4));
                    default -> random.nextInt(Math.min(ROOM, 40 * plan.mtu()));
                };
                boolean signalled = i == OPERATIONS - 1 || random.nextInt(3) > 0;
                operations.add(new Operation(random.nextInt(3), length, signalled ? QueuePair.SIGNALED : 0));
            }
        }

        private void fill(Side side) {
            side.fill(SOURCE, AREA, seed * 31 + side.number);
        }

        private void work() {
            int postedA = 0;
            int postedB = 0;
            int receivesA = 0;
            int receivesB = 0;
            for (int i = 0; i < 1_000_000; i++) {
                if (postedA < OPERATIONS && random.nextInt(4) == 0) {
                    post(a, b, fromA, postedA++);
                }
                if (postedB < OPERATIONS && random.nextInt(4) == 0) {
                    post(b, a, fromB, postedB++);
                }
                // often too late, so that senders find the peer not ready
                if (receivesA < OPERATIONS && random.nextInt(6) == 0) {
                    a.receive(1000 + receivesA, RECEIVED + (long) receivesA++ * ROOM, ROOM);
                }
                if (receivesB < OPERATIONS && random.nextInt(6) == 0) {
                    b.receive(1000 + receivesB, RECEIVED + (long) receivesB++ * ROOM, ROOM);
                }
                if (!link.step() && postedA + postedB + receivesA + receivesB == 4 * OPERATIONS) {
                    return;
                }
            }
            throw new AssertionError("it does not end");
        }

        private void post(Side side, Side peer, List<Operation> operations, int i) {
            Operation o = operations.get(i);
            long place = (long) i * ROOM;
            switch (o.kind()) {
                case SendRing.SEND -> side.post(SendRing.SEND, i, place, o.length(), 0, 0, o.flags());
                case SendRing.WRITE -> side.post(
                    SendRing.WRITE, i, place, o.length(), peer.at(WRITTEN + place), peer.key, o.flags());
                default -> side.post(
                    SendRing.READ, i, READ + place, o.length(), peer.at(SOURCE + place), peer.key, o.flags());
            }
        }

        private void verify(Side side, Side peer, List<Operation> operations) {
            assertEquals(QpState.RTS, side.engine.state());
            int longest = plan.mtu() + Bth.BYTES + Bth.RETH_BYTES;
            assertTrue(link.longestPacket() <= longest, "a packet of " + link.longestPacket());
            List<Long> wanted = new ArrayList<>();
            List<Integer> messages = new ArrayList<>();
            for (int i = 0; i < OPERATIONS; i++) {
                Operation o = operations.get(i);
                if (o.flags() != 0) {
                    wanted.add((long) i);
                }
                long place = (long) i * ROOM;
                switch (o.kind()) {
                    case SendRing.SEND -> {
                        long received = RECEIVED + (long) messages.size() * ROOM;
                        same(side, place, peer, received, o.length(), "send " + i);
                        messages.add(o.length());
                    }
                    case SendRing.WRITE -> same(side, place, peer, WRITTEN + place, o.length(), "write " + i);
                    default -> same(peer, SOURCE + place, side, READ + place, o.length(), "read " + i);
                }
            }
            assertTrue(
                side.completions.stream().allMatch(c -> c.status() == Status.SUCCESS), side.completions::toString);
            assertEquals(
                wanted,
                side.completions.stream()
                    .filter(c -> c.opcode() != Opcode.RECEIVE)
                    .map(Side.Completed::id)
                    .toList());
            assertEquals(
                messages,
                peer.completions.stream()
                    .filter(c -> c.opcode() == Opcode.RECEIVE)
                    .map(Side.Completed::bytes)
                    .toList());
        }

        private static void same(Side from, long source, Side to, long target, int length, String what) {
            MemorySegment wanted = from.memory.asSlice(source, length);
            assertEquals(-1, to.memory.asSlice(target, length).mismatch(wanted), what);
            // nothing is written past its end
            assertEquals(0, to.memory.get(ValueLayout.JAVA_BYTE, target + length), what);
        }
    }
}
