package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.WorkCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Packets with a good CRC that no honest peer sends, on a live connection in both directions. They may cost that
 * connection, but write nothing outside its memory, make no fault in the network thread, and leave others alone.
 */
class HostilePeerTest {
    private static final ConnectionParameters PARAMETERS = new ConnectionParameters(4, 4, 7, 7, true, false);
    private static final int ROUNDS = 40;
    private static final int SIZE = 1 << 16;
    private static final int GUARD = 1 << 14;
    private static final byte UNTOUCHED = 0x5a;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    /** A device whose packets can be changed, and its event channel. */
    private static final class Port implements AutoCloseable {
        final HostileSocket socket;
        final RoceDevice device;
        final CmEventChannel events;

        Port(InetAddress address, long seed, AtomicLong numbers) throws RdmaException {
            socket = new HostileSocket(PacketSockets.open(address, 1 << 20), seed);
            device = RoceDevice.start("port" + seed, socket, PathMtu.MTU_1024, Tuning.fromProperties(), numbers);
            events = device.createEventChannel();
        }

        <E extends CmEvent> E next(Class<E> kind) {
            return await(kind.getSimpleName(), () -> events.poll().filter(kind::isInstance).map(kind::cast));
        }

        long count(Count count) {
            return device.counters().stream()
                .filter(c -> c.name().equals(count.counter()))
                .mapToLong(Counter::value)
                .sum();
        }

        @Override
        public void close() {
            events.close();
            device.close();
        }
    }

    /** One end of a connection with memory of its own, which no other end's key reaches. */
    private static final class End implements AutoCloseable {
        final Arena arena = Arena.ofShared();
        final MemorySegment all = arena.allocate(SIZE + 2L * GUARD, 64).fill(UNTOUCHED);
        final MemorySegment memory = all.asSlice(GUARD, SIZE);
        final ProtectionDomain pd;
        final MemoryRegion region;
        final CompletionQueue queue;
        final CmId id;
        final QueuePair qp;
        final WorkCompletion completion = new WorkCompletion();

        End(Port port, CmId id) throws RdmaException {
            this.id = id;
            // what is written must differ from what the guards hold
            memory.fill((byte) ~UNTOUCHED);
            pd = port.device.allocateProtectionDomain();
            region = pd.register(memory, EnumSet.allOf(Access.class));
            queue = port.device.createCompletionQueue(256, () -> { });
            qp = id.createQueuePair(new QueuePairSpec(pd, queue, queue, Optional.empty(), 32, 32));
        }

        long at(long offset) {
            return memory.address() + offset;
        }

        void awaitSuccess(long workRequestId) {
            await("completion " + workRequestId, () ->
                queue.poll(completion) ? Optional.of(completion) : Optional.empty());
            assertEquals(workRequestId, completion.workRequestId(), completion::toString);
            assertEquals(WorkCompletion.Status.SUCCESS, completion.status());
        }

        void assertGuardsUntouched() {
            for (long guard : new long[] {0, GUARD + SIZE}) {
                for (long i = guard; i < guard + GUARD; i++) {
                    assertEquals(UNTOUCHED, all.get(ValueLayout.JAVA_BYTE, i), "byte " + (i - GUARD));
                }
            }
        }

        @Override
        public void close() {
            qp.close();
            id.destroy();
            queue.close();
            region.close();
            pd.close();
            arena.close();
        }
    }

    private record Pair(End a, End b) implements AutoCloseable {
        static Pair connect(Port left, Port right, int tcpPort) throws RdmaException {
            ServiceId service = ServiceId.rdmaTcp(tcpPort);
            CmId listener = right.events.listen(service);
            End a = new End(left, left.events.createId(right.device.network().gid(), service));
            a.id.connect(PARAMETERS, new byte[0]);
            End b = new End(right, right.next(CmEvent.ConnectRequest.class).id());
            b.id.accept(PARAMETERS, new byte[0]);
            left.next(CmEvent.Established.class);
            right.next(CmEvent.Established.class);
            listener.destroy();
            return new Pair(a, b);
        }

        @Override
        public void close() {
            a.close();
            b.close();
        }
    }

    private static <T> T await(String what, Supplier<Optional<T>> poll) {
        long began = System.nanoTime();
        Optional<T> got = poll.get();
        while (got.isEmpty()) {
            assertTrue(System.nanoTime() - began < PATIENCE_NANOS, () -> "no " + what + " came");
            LockSupport.parkNanos(50_000);
            got = poll.get();
        }
        return got.get();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void costsItsConnectionAtMost(long seed) throws Exception {
        List<InetAddress> addresses = Loopback.addresses(2);
        AtomicLong numbers = new AtomicLong();
        Random random = new Random(seed);
        try (Port left = new Port(addresses.get(0), 2 * seed, numbers);
                Port right = new Port(addresses.get(1), 2 * seed + 1, numbers);
                Pair others = Pair.connect(left, right, 5001)) {
            for (int round = 0; round < ROUNDS; round++) {
                try (Pair victim = Pair.connect(left, right, 5002)) {
                    left.socket.attack(victim.a.qp.number());
                    right.socket.attack(victim.b.qp.number());
                    load(victim.a, victim.b, random);
                    load(victim.b, victim.a, random);
                    for (int i = 0; i < 5; i++) {
                        exchange(others, random);
                    }
                    left.socket.attack(0);
                    right.socket.attack(0);
                    victim.a.assertGuardsUntouched();
                    victim.b.assertGuardsUntouched();
                }
                exchange(others, random);
            }
            for (Port port : List.of(left, right)) {
                assertEquals(0, port.count(Count.FAULTS));
                assertTrue(port.device.network().running());
                assertTrue(port.socket.changed() > ROUNDS, "changed packets: " + port.socket.changed());
            }
            assertEquals(QpState.RTS, others.a.qp.state());
            assertEquals(QpState.RTS, others.b.qp.state());
        }
    }

    /** A packet is its queue pair's only if it comes from the address of the peer. */
    @Test
    void packetsFromAnotherAddressAreNotThePeers() throws Exception {
        List<InetAddress> addresses = Loopback.addresses(3);
        AtomicLong numbers = new AtomicLong();
        int length = Bth.BYTES + 64 + Bth.ICRC_BYTES;
        try (Port left = new Port(addresses.get(0), 1, numbers);
                Port right = new Port(addresses.get(1), 2, numbers);
                Pair pair = Pair.connect(left, right, 5001);
                DatagramSocket stranger = new DatagramSocket(new InetSocketAddress(addresses.get(2), 0));
                Arena arena = Arena.ofConfined()) {
            pair.b.qp.postReceive(1, pair.b.at(0), 64, pair.b.region.lkey());
            pair.b.qp.ringDoorbell();
            MemorySegment room = arena.allocate(InvariantCrc.HEADROOM + length, 64);
            MemorySegment packet = room.asSlice(InvariantCrc.HEADROOM);
            byte[] header = InvariantCrc.header(addresses.get(2), addresses.get(1), PacketSockets.ROCE_PORT);
            MemorySegment before = arena.allocateFrom(ValueLayout.JAVA_BYTE, header);
            for (int i = 0; i < 100; i++) {
                int psn = new Random(i).nextInt();
                Bth.write(packet.address(), Bth.SEND_ONLY, 0, 0, pair.b.qp.number(), true, psn);
                new InvariantCrc(room).seal(before, stranger.getLocalPort(), InvariantCrc.HEADROOM, length);
                byte[] bytes = packet.toArray(ValueLayout.JAVA_BYTE);
                stranger.send(new DatagramPacket(bytes, length, addresses.get(1), PacketSockets.ROCE_PORT));
            }
            await("count of them", () -> right.count(Count.DROPPED_WRONG_PEER) == 100
                ? Optional.of(true) : Optional.empty());
            assertEquals(0, right.count(Count.NAKS_SENT) + right.count(Count.ACKS_SENT));
            assertFalse(pair.b.queue.poll(pair.b.completion));
            pair.a.qp.postSend(2, pair.a.at(0), 64, pair.a.region.lkey(), QueuePair.SIGNALED);
            pair.a.qp.ringDoorbell();
            pair.a.awaitSuccess(2);
            pair.b.awaitSuccess(1);
        }
    }

    /** Work of all kinds, of which any may fail. */
    private static void load(End from, End to, Random random) throws RdmaException {
        int key = from.region.lkey();
        for (int i = 0; i < 8; i++) {
            from.qp.postReceive(100 + i, from.at(i * 3000L), 3000, key);
        }
        int remote = to.region.rkey();
        for (int i = 0; i < 16; i++) {
            int length = random.nextInt(8000);
            long local = from.at(random.nextInt(SIZE - length));
            // at either end, from where a small change leads out of the memory
            long there = to.at(random.nextBoolean() ? 0 : SIZE - length);
            switch (random.nextInt(3)) {
                case 0 -> from.qp.postSend(i, local, Math.min(length, 3000), key, QueuePair.SIGNALED);
                case 1 -> from.qp.postRdmaWrite(i, local, length, key, there, remote, QueuePair.SIGNALED);
                default -> from.qp.postRdmaRead(i, local, length, key, there, remote, QueuePair.SIGNALED);
            }
        }
        from.qp.ringDoorbell();
    }

    /** Bytes go to the other side and come back. */
    private static void exchange(Pair pair, Random random) throws RdmaException {
        End a = pair.a;
        End b = pair.b;
        byte[] bytes = new byte[10_000];
        random.nextBytes(bytes);
        MemorySegment sent = a.memory.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
        b.qp.postReceive(1, b.at(20_000), bytes.length, b.region.lkey());
        b.qp.ringDoorbell();
        a.qp.postRdmaWrite(2, a.at(0), bytes.length, a.region.lkey(), b.at(0), b.region.rkey(), QueuePair.SIGNALED);
        a.qp.postSend(3, a.at(0), bytes.length, a.region.lkey(), QueuePair.SIGNALED);
        a.qp.postRdmaRead(
            4, a.at(20_000), bytes.length, a.region.lkey(), b.at(0), b.region.rkey(), QueuePair.SIGNALED);
        a.qp.ringDoorbell();
        a.awaitSuccess(2);
        a.awaitSuccess(3);
        a.awaitSuccess(4);
        b.awaitSuccess(1);
        assertEquals(-1, sent.mismatch(b.memory.asSlice(0, bytes.length)), "written");
        assertEquals(-1, sent.mismatch(b.memory.asSlice(20_000, bytes.length)), "received");
        assertEquals(-1, sent.mismatch(a.memory.asSlice(20_000, bytes.length)), "read back");
    }
}
