package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeersTest {
    private static final int PORT = 4791;

    /** More than the table holds several times over, as someone who forges addresses can send. */
    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "fd00::1"})
    void whoHoldsAPeerKeepsItHoweverManyAddressesCome(String text) throws Exception {
        InetAddress local = InetAddress.getByName(text);
        Peers peers = new Peers(local, PORT);
        Peer kept = peer(peers, 7);
        for (int i = 0; i < 20_000; i++) {
            Peer one = peer(peers, i);
            assertSame(one, peer(peers, i));
            assertIsPeer(one, local, i);
        }
        assertIsPeer(kept, local, 7);
        assertEquals(kept, peer(peers, 7));
    }

    private static Peer peer(Peers peers, int number) {
        return peers.ipv4() ? peers.findIpv4(0x0b00_0000 + number) : peers.find(0xfd00L << 48, 0x1_0000L + number);
    }

    private static void assertIsPeer(Peer peer, InetAddress local, int number) throws Exception {
        InetAddress remote = peer.gid().toAddress();
        assertEquals(number, peer.gid().interfaceId() & 0xffff);
        assertEquals(remote, peer.address().getAddress());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = Peers.SocketAddress.of(remote, PORT, arena);
            assertArrayEquals(bytes(address), bytes(peer.socketAddress()));
        }
        assertArrayEquals(InvariantCrc.header(remote, local, PORT), bytes(peer.incoming()));
        assertArrayEquals(InvariantCrc.header(local, remote, PORT), bytes(peer.outgoing()));
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}
