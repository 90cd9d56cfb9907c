package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every packet socket does, for each implementation over each address family. */
class PacketSocketTest {
    private static final int PORT = 54_791;
    private static final int BUFFER = 1 << 20;
    private static final long SECONDS_10 = 10_000_000_000L;

    private final List<PacketSocket> open = new ArrayList<>();

    @AfterEach
    void closeAll() {
        open.forEach(PacketSocket::close);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aPacketArrivesAsItWasSent(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        PacketSocket b = kind.openSecond(open);
        for (int length : new int[] {16, 20, 276, 1044, 4160, PacketSocket.MAX_PACKET_BYTES}) {
            byte[] sent = send(a, b, length);
            a.flush();
            assertEquals(1, b.receive(SECONDS_10), "length " + length);
            assertEquals(HexFormat.of().formatHex(sent), HexFormat.of().formatHex(packet(b, 0)));
            assertEquals(a.local(), b.packetSource(0).gid());
            assertSame(b.peer(a.local()), b.packetSource(0));
        }
        assertEquals(6, counter(a, "tx.packets"));
        assertEquals(6, counter(b, "rx.packets"));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void moreThanABatchArrivesInOrder(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        PacketSocket b = kind.openSecond(open);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add(HexFormat.of().formatHex(send(a, b, 20 + 4 * (i % 50))));
        }
        a.flush();
        List<String> received = new ArrayList<>();
        while (received.size() < sent.size()) {
            int n = b.receive(SECONDS_10);
            assertNotEquals(0, n, "packets received before the time was over: " + received.size());
            for (int i = 0; i < n; i++) {
                received.add(HexFormat.of().formatHex(packet(b, i)));
            }
        }
        assertEquals(sent, received);
        assertEquals(0, b.receive(0));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aPayloadFromElsewhereIsPaddedWithZeros(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        PacketSocket b = kind.openSecond(open);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment payload = arena.allocate(4096);
            byte[] bytes = new byte[4096];
            new Random(3).nextBytes(bytes);
            payload.copyFrom(MemorySegment.ofArray(bytes));
            for (int length : new int[] {0, 1, 2, 3, 4, 511, 4096}) {
                for (int i = 0; i < 2; i++) {
                    a.sendMemory().asSlice(a.reserve(), PacketSocket.MAX_PACKET_BYTES).fill((byte) 0x5a);
                    a.commit(a.peer(b.local()), 28, payload.address(), length);
                }
                a.flush();
                receiveAll(b, 2, i -> {
                    byte[] got = packet(b, i);
                    int padded = (length + 3) & -4;
                    assertEquals(28 + padded + 4, got.length);
                    String expected = "5a".repeat(28) + HexFormat.of().formatHex(bytes, 0, length)
                            + "00".repeat(padded - length);
                    assertEquals(expected, HexFormat.of().formatHex(got, 0, 28 + padded));
                });
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void damagedPacketsAreDroppedAndCounted(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        PacketSocket b = kind.openSecond(open);
        byte[] good = send(a, b, 64);
        a.flush();
        assertEquals(1, b.receive(SECONDS_10));
        byte[] bad = good.clone();
        bad[40] ^= 1;
        byte[] longer = new byte[PacketSocket.MAX_PACKET_BYTES + 4];
        // as from the first socket's address, whose port these do not come from: the good one is bad, too
        inject(kind, good, bad, new byte[15], new byte[18], new byte[0], longer);
        send(a, b, 64);
        a.flush();
        receiveAll(b, 1, i -> assertEquals(64, b.packetLength(i)));
        assertEquals(2, counter(b, "rx.bad-icrc"));
        assertEquals(3, counter(b, "rx.malformed"));
        assertEquals(1, counter(b, "rx.too-long"));
        assertEquals(2, counter(b, "rx.packets"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "MMSG.*")
    void whatTheKernelHasNoRoomForIsCounted(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        PacketSocket b = kind.openSecond(open);
        for (int i = 0; i < 1000; i++) {
            send(a, b, 4096);
            a.flush();
        }
        long began = System.nanoTime();
        // what the kernel dropped is looked for now and then
        while (counter(b, "rx.packets") + counter(b, "rx.dropped.no-room") < 1000) {
            assertTrue(System.nanoTime() - began < SECONDS_10, () -> b.counters().toString());
            b.receive(1_000_000);
        }
        assertEquals(1000, counter(a, "tx.packets"));
        assertEquals(1000, counter(b, "rx.packets") + counter(b, "rx.dropped.no-room"));
        assertTrue(counter(b, "rx.dropped.no-room") > 0, "the buffer holds less than that");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "NIO.*")
    void whatTheKernelHasNoRoomForIsNotToldWhereItIsNotKnown(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        assertTrue(a.counters().stream().noneMatch(c -> c.name().equals("rx.dropped.no-room")));
    }

    /** As Linux's soft-RoCE sends them; the kernel gives them only to a socket that asks for them. */
    @Test
    void packetsWithoutUdpChecksumArriveOverIpv6() throws Exception {
        PacketSocket b = Kind.MMSG_IPV6.openFirst(open);
        int length = 64;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(InvariantCrc.HEADROOM + length, 64);
            byte[] header = InvariantCrc.header(Kind.MMSG_IPV6.first(), Kind.MMSG_IPV6.first(), PORT);
            MemorySegment before = arena.allocateFrom(ValueLayout.JAVA_BYTE, header);
            new InvariantCrc(memory).seal(before, PORT + 1, InvariantCrc.HEADROOM, length);
            sendWithoutChecksum(memory.asSlice(InvariantCrc.HEADROOM), Kind.MMSG_IPV6.first());
        }
        assertEquals(1, b.receive(SECONDS_10));
        assertEquals(length, b.packetLength(0));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRoomThatIsNotCommittedIsNotSent(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        PacketSocket b = kind.openSecond(open);
        assertEquals(a.reserve(), a.reserve());
        a.flush();
        assertThrows(IllegalArgumentException.class, () -> a.commit(a.peer(b.local()), 12));
        assertThrows(IllegalArgumentException.class, () -> a.commit(a.peer(b.local()), 18));
        assertThrows(
                IllegalArgumentException.class,
                () -> a.commit(a.peer(b.local()), PacketSocket.MAX_PACKET_BYTES + 4));
        assertThrows(IllegalArgumentException.class, () -> a.commit(a.peer(b.local()), 12, 0, Integer.MAX_VALUE));
        assertEquals(0, b.receive(0));
        assertEquals(0, counter(a, "tx.packets"));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void wakeupEndsTheWaitBeforeAndDuringIt(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        a.wakeup();
        a.wakeup();
        assertEquals(0, a.receive(Long.MAX_VALUE / 4));
        for (int i = 0; i < 20; i++) {
            Thread other = Thread.ofVirtual().start(a::wakeup);
            assertEquals(0, a.receive(Long.MAX_VALUE / 4));
            other.join();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aTakenAddressIsNamed(Kind kind) throws Exception {
        kind.openFirst(open);
        RdmaException e = assertThrows(RdmaException.class, () -> kind.openFirst(open));
        assertTrue(e.getMessage().contains(PORT + " at " + kind.first().getHostAddress()), e.getMessage());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = ".*IPV4")
    void aPeerThatCannotBeReachedIsCounted(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        PacketSocket b = kind.openSecond(open);
        // an address that a socket bound to the loopback cannot send to
        Gid far = Gid.of(InetAddress.getByName("203.0.113.1"));
        for (int i = 0; i < 3; i++) {
            a.reserve();
            a.commit(a.peer(far), 64);
            send(a, b, 64);
        }
        a.flush();
        receiveAll(b, 3, i -> assertEquals(64, b.packetLength(i)));
        assertEquals(3, counter(a, "tx.dropped.unreachable"));
        assertEquals(3, counter(a, "tx.packets"));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aGidOfTheOtherFamilyIsRefused(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        Gid other = Gid.of(InetAddress.getByName(kind.ipv4() ? "fd00::1" : "10.0.0.1"));
        assertThrows(RdmaException.class, () -> a.peer(other));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void closedTwiceAndOfNoUseAfterwards(Kind kind) throws Exception {
        PacketSocket a = kind.openFirst(open);
        assertEquals(PathMtu.MTU_4096, a.maxPathMtu());
        assertTrue(counter(a, "socket.receive-buffer") > 0);
        assertTrue(counter(a, "socket.send-buffer") > 0);
        a.close();
        a.close();
        a.wakeup();
        assertThrows(IOException.class, () -> a.receive(0));
        try (PacketSocket again = kind.openFirst(new ArrayList<>())) {
            assertEquals(a.local(), again.local());
        }
    }

    private static byte[] send(PacketSocket from, PacketSocket to, int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        long offset = from.reserve();
        assertEquals(0, offset % 8);
        MemorySegment.copy(bytes, 0, from.sendMemory(), ValueLayout.JAVA_BYTE, offset, length);
        from.commit(from.peer(to.local()), length);
        MemorySegment.copy(from.sendMemory(), ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return bytes;
    }

    private static byte[] packet(PacketSocket socket, int i) {
        assertEquals(0, socket.packetOffset(i) % 8);
        return socket.receiveMemory()
                .asSlice(socket.packetOffset(i), socket.packetLength(i))
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private static void receiveAll(PacketSocket socket, int expected, IntConsumer check)
            throws IOException {
        int got = 0;
        while (got < expected) {
            int n = socket.receive(SECONDS_10);
            assertNotEquals(0, n, "packets received before the time was over: " + got);
            for (int i = 0; i < n; i++) {
                check.accept(i);
            }
            got += n;
        }
        assertEquals(expected, got);
    }

    private static void inject(Kind kind, byte[]... packets) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(kind.first(), 0))) {
            for (byte[] packet : packets) {
                socket.send(new DatagramPacket(packet, packet.length, kind.second(), PORT));
            }
        }
    }

    /** Sends from port {@link #PORT} + 1 to {@link #PORT}. */
    private static void sendWithoutChecksum(MemorySegment packet, InetAddress address) {
        Linux linux = new Linux();
        int fd = linux.socket(Linux.AF_INET6, Linux.SOCK_DGRAM, 0);
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(0, linux.setsockopt(fd, Linux.IPPROTO_UDP, Linux.UDP_NO_CHECK6_TX, 1));
            assertEquals(0, linux.bind(fd, Peers.SocketAddress.of(address, PORT + 1, arena)));
            MemorySegment vector = arena.allocate(Linux.IOVEC);
            vector.set(ValueLayout.JAVA_LONG, 0, packet.address());
            vector.set(ValueLayout.JAVA_LONG, 8, packet.byteSize());
            MemorySegment header = arena.allocate(Linux.MMSGHDR);
            MemorySegment to = Peers.SocketAddress.of(address, PORT, arena);
            header.set(ValueLayout.JAVA_LONG, 0, to.address());
            header.set(ValueLayout.JAVA_INT, offset("msg_namelen"), (int) to.byteSize());
            header.set(ValueLayout.JAVA_LONG, offset("msg_iov"), vector.address());
            header.set(ValueLayout.JAVA_LONG, offset("msg_iovlen"), 1);
            assertEquals(1, linux.sendmmsg(fd, header, 1), () -> Linux.strerror(linux.errno()));
        } finally {
            linux.close(fd);
        }
    }

    private static long offset(String field) {
        return Linux.MMSGHDR.byteOffset(PathElement.groupElement(field));
    }

    private static long counter(PacketSocket socket, String name) {
        return socket.counters().stream().filter(c -> c.name().equals(name)).mapToLong(Counter::value).sum();
    }

    /** An implementation and an address family. */
    enum Kind {
        NIO_IPV4("127.77.9.1", "127.77.9.2"),
        NIO_IPV6("::1", "::1"),
        MMSG_IPV4("127.77.9.1", "127.77.9.2"),
        MMSG_IPV6("::1", "::1");

        private final String first;
        private final String second;

        Kind(String first, String second) {
            this.first = first;
            this.second = second;
        }

        boolean ipv4() {
            return first.contains(".");
        }

        InetAddress first() {
            return address(first);
        }

        InetAddress second() {
            return address(second);
        }

        private static InetAddress address(String text) {
            try {
                InetAddress address = InetAddress.getByName(text);
                assumeTrue(
                        !address.isLoopbackAddress() || text.contains(".") || NetworkInterface.getByInetAddress(address)
                                != null,
                        "this host has no " + text);
                return address;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        PacketSocket openFirst(List<PacketSocket> open) throws RdmaException {
            return opened(first(), open);
        }

        /** The same socket where there is only one address. */
        PacketSocket openSecond(List<PacketSocket> open) throws RdmaException {
            return first.equals(second) ? open.getFirst() : opened(second(), open);
        }

        private PacketSocket opened(InetAddress address, List<PacketSocket> open) throws RdmaException {
            PacketSocket socket;
            if (name().startsWith("NIO")) {
                socket = NioPacketSocket.open(address, PORT, BUFFER);
            } else {
                MmsgPacketSocket.unavailable().ifPresent(why -> assumeTrue(false, why));
                socket = MmsgPacketSocket.open(address, PORT, BUFFER);
            }
            open.add(socket);
            return socket;
        }
    }
}
