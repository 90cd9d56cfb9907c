package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InvariantCrcTest {
    private static final int OFFSET = InvariantCrc.HEADROOM;
    private static final int PORT = 0xc123;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment memory = arena.allocate(OFFSET + PacketSocket.MAX_PACKET_BYTES, 8);
    private final InvariantCrc crc = new InvariantCrc(memory);

    @Test
    void everyCapturedPacketFits() {
        List<Capture.Packet> packets = Capture.packets();
        assertTrue(packets.size() > 20, "packets in the capture: " + packets.size());
        for (Capture.Packet p : packets) {
            MemorySegment header = header(p.source(), p.destination());
            put(p.bytes());
            assertTrue(crc.verify(header, p.sourcePort(), OFFSET, p.bytes().length), p::toString);
            int difference = crc.compute(header, p.sourcePort(), OFFSET, p.bytes().length) ^ stored(p.bytes());
            int swapped = InvariantCrc.identification(difference, p.bytes().length);
            assertEquals(p.identification(), Short.toUnsignedInt(Short.reverseBytes((short) swapped)));
            MemorySegment after = memory.asSlice(OFFSET, p.bytes().length);
            assertEquals(-1L, MemorySegment.ofArray(p.bytes()).mismatch(after), "verify leaves the packet as it was");
        }
    }

    @Test
    void everyFlippedBitOfCapturedPacketsIsFound() {
        for (Capture.Packet p : Capture.packets()) {
            MemorySegment header = header(p.source(), p.destination());
            int step = p.bytes().length > 400 ? 61 : 1;
            for (int bit = 0; bit < p.bytes().length * 8; bit += step) {
                if (bit / 8 == 4) {
                    continue;
                }
                put(p.bytes());
                flip(bit);
                assertFalse(crc.verify(header, p.sourcePort(), OFFSET, p.bytes().length), "bit " + bit + " of " + p);
            }
        }
    }

    @Test
    void theReservedByteOfTheBthDoesNotCount() {
        Capture.Packet p = Capture.packets().getFirst();
        put(p.bytes());
        flip(4 * 8);
        assertTrue(crc.verify(header(p.source(), p.destination()), p.sourcePort(), OFFSET, p.bytes().length));
    }

    @Test
    void aWrongPortOrAddressIsFound() throws UnknownHostException {
        Capture.Packet p = Capture.packets().getFirst();
        put(p.bytes());
        int length = p.bytes().length;
        assertFalse(crc.verify(header(p.source(), p.destination()), p.sourcePort() ^ 1, OFFSET, length));
        InetAddress other = InetAddress.getByAddress(new byte[] {10, 77, 0, 4});
        assertFalse(crc.verify(header(p.source(), other), p.sourcePort(), OFFSET, length));
        assertFalse(crc.verify(header(other, p.destination()), p.sourcePort(), OFFSET, length));
    }

    /** The differences that the test for IPv4 accepts are those of the 65536 identifications, and no others. */
    @ParameterizedTest
    @ValueSource(ints = {16, 20, 68, 280, 1044, 4120, PacketSocket.MAX_PACKET_BYTES})
    void exactlyTheIdentificationsAreAccepted(int length) {
        // what an identification does to the CRC, computed the plain way: over a message of zeros but for it
        byte[] message = new byte[2 + 14 + 8 + length - 4];
        int none = plain(message);
        int[] byBit = new int[16];
        for (int bit = 0; bit < 16; bit++) {
            ByteBuffer.wrap(message).putShort((short) (1 << bit));
            byBit[bit] = plain(message) ^ none;
        }
        for (int id = 0; id < 0x10000; id++) {
            int difference = 0;
            for (int bit = 0; bit < 16; bit++) {
                difference ^= byBit[bit] & -((id >>> bit) & 1);
            }
            int swapped = Short.toUnsignedInt(Short.reverseBytes((short) id));
            assertEquals(swapped, InvariantCrc.identification(difference, length));
        }
        // identification() is a bijection of 32 bits (multiplication by a unit), so nothing else gives these values
        assertEquals(1 << 31, InvariantCrc.multiply(InvariantCrc.identification(1 << 31, length), unit(length)));
    }

    /** x to the 8 n modulo the polynomial: what n zero bytes do to the CRC register. */
    private static int unit(int length) {
        int power = 1 << 31;
        for (int i = 0; i < (length - 4 + 24) * 8; i++) {
            power = InvariantCrc.multiply(power, 1 << 30);
        }
        return power;
    }

    @Test
    void aboutOneIn65536RandomDifferencesIsAccepted() {
        Random random = new Random(7);
        int accepted = 0;
        for (int i = 0; i < 1 << 21; i++) {
            accepted += (InvariantCrc.identification(random.nextInt(), 1044) >>> 16) == 0 ? 1 : 0;
        }
        assertTrue(accepted > 8 && accepted < 80, "accepted " + accepted + ", expected about 32");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fd00::1", "fe80::1", "::1"})
    void ipv6IsExact(String address) throws UnknownHostException {
        InetAddress source = InetAddress.getByName(address);
        InetAddress destination = InetAddress.getByName("fd00::2");
        byte[] packet = new byte[300];
        new Random(1).nextBytes(packet);
        put(packet);
        MemorySegment header = header(source, destination);
        crc.seal(header, PORT, OFFSET, packet.length);
        assertEquals(ipv6Plain(source, destination, packet), memory.get(ValueLayout.JAVA_INT_UNALIGNED, OFFSET + 296));
        assertTrue(crc.verify(header, PORT, OFFSET, packet.length));
        int stored = memory.get(ValueLayout.JAVA_INT_UNALIGNED, OFFSET + 296);
        for (int id = 1; id < 0x10000; id += 255) {
            // differences that an IPv4 identification could explain
            int back = InvariantCrc.multiply(id, unit(packet.length));
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, OFFSET + 296, stored ^ back);
            assertFalse(crc.verify(header, PORT, OFFSET, packet.length));
        }
    }

    private static int ipv6Plain(InetAddress source, InetAddress destination, byte[] packet) {
        ByteBuffer b = ByteBuffer.allocate(8 + 40 + 8 + packet.length - 4);
        b.putLong(-1L).put((byte) 0x6f).put((byte) -1).put((byte) -1).put((byte) -1);
        b.putShort((short) (packet.length + 8)).put((byte) 17).put((byte) -1);
        b.put(source.getAddress()).put(destination.getAddress());
        b.putShort((short) PORT).putShort((short) 4791).putShort((short) (packet.length + 8)).putShort((short) -1);
        b.put(packet, 0, packet.length - 4);
        b.put(56 + 4, (byte) -1);
        return plain(b.array());
    }

    private static int plain(byte[] message) {
        CRC32 plain = new CRC32();
        plain.update(message);
        return (int) plain.getValue();
    }

    private MemorySegment header(InetAddress source, InetAddress destination) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, InvariantCrc.header(source, destination, 4791));
    }

    private void put(byte[] packet) {
        MemorySegment.copy(packet, 0, memory, ValueLayout.JAVA_BYTE, OFFSET, packet.length);
    }

    private void flip(int bit) {
        long at = OFFSET + (long) bit / 8;
        byte flipped = (byte) (memory.get(ValueLayout.JAVA_BYTE, at) ^ (1 << (bit % 8)));
        memory.set(ValueLayout.JAVA_BYTE, at, flipped);
    }

    private int stored(byte[] packet) {
        return memory.get(ValueLayout.JAVA_INT_UNALIGNED, OFFSET + packet.length - 4L);
    }
}
