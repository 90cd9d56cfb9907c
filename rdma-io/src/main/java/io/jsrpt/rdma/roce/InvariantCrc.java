package io.jsrpt.rdma.roce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * The invariant CRC of RoCEv2 packets (IBTA volume 1, annex A17.3.3): CRC-32 over eight bytes of ones and the IP packet
 * with every field set to ones that a router may change, stored with its low byte first.
 *
 * <p>The CRC covers the IPv4 identification, which a UDP socket does not tell. CRC is linear: an identification other
 * than the assumed 0 changes it by its own 16 bits, shifted through the rest of the packet. Shifted back by as many
 * bits, a difference that comes from the identification alone is a number below 2^16; any other difference means a
 * damaged packet. So over IPv4 65,535 of 65,536 damaged packets are found, over IPv6 all but one of 2^32.
 *
 * <p>Owner only: an instance holds the state of one computation.
 */
final class InvariantCrc {
    /** Room that {@link #compute} needs in front of a packet's BTH. */
    static final int HEADROOM = 64;

    private static final int POLYNOMIAL = 0xedb8_8320;
    /** The inverse of x modulo the polynomial, bit-reflected: one step of the CRC register backwards, applied to 1. */
    private static final int INVERSE_OF_X = ((0x8000_0000 ^ POLYNOMIAL) << 1) | 1;
    /** From the end of the identification to the end of the IPv4 and UDP headers, and the identification itself. */
    private static final int HEADER_FROM_IDENTIFICATION = 14 + 8 + 2;

    private static final int IPV4_UDP = 28;
    private static final int IPV6_UDP = 48;
    private static final int ONES = 8;
    private static final int BTH_RESERVED = 4;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt STORED = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Entry i shifts a CRC back by i times four bytes. */
    private static final int[] BACK = new int[(PacketSocket.MAX_PACKET_BYTES + HEADER_FROM_IDENTIFICATION) / 4 + 1];

    static {
        int fourBytes = 0x8000_0000;
        for (int i = 0; i < 32; i++) {
            fourBytes = multiply(fourBytes, INVERSE_OF_X);
        }
        BACK[0] = 0x8000_0000;
        for (int i = 1; i < BACK.length; i++) {
            BACK[i] = multiply(BACK[i - 1], fourBytes);
        }
    }

    private final CRC32 crc = new CRC32();
    private final MemorySegment memory;
    private final ByteBuffer view;

    /** For packets in this native memory, of at most 2 GiB. */
    InvariantCrc(MemorySegment memory) {
        this.memory = memory;
        this.view = memory.asByteBuffer();
    }

    /**
     * The bytes that the CRC sees before the BTH: ones, IP header, UDP header. Lengths and source port are zero, and
     * the IPv4 identification too; {@link #compute} fills in the former.
     */
    static byte[] header(InetAddress source, InetAddress destination, int destinationPort) {
        byte[] from = source.getAddress();
        byte[] to = destination.getAddress();
        boolean ipv4 = from.length == 4;
        ByteBuffer b = ByteBuffer.allocate(ONES + (ipv4 ? IPV4_UDP : IPV6_UDP));
        b.putLong(-1L);
        if (ipv4) {
            // version and length of header, type of service; total length, identification; don't fragment; TTL, UDP
            b.putShort((short) 0x45ff).putInt(0).putShort((short) 0x4000).putShort((short) 0xff11).putShort((short) -1);
        } else {
            // version, traffic class, flow label; payload length; UDP; hop limit
            b.putInt(0x6fff_ffff).putShort((short) 0).putShort((short) 0x11ff);
        }
        b.put(from).put(to);
        b.putShort((short) 0).putShort((short) destinationPort).putShort((short) 0).putShort((short) -1);
        return b.array();
    }

    /**
     * The CRC of a packet with IPv4 identification 0. Overwrites the {@link #HEADROOM} before it.
     *
     * @param header of {@link #header}, in native memory
     * @param sourcePort of the UDP header
     * @param offset of the BTH in the memory
     * @param length from BTH to ICRC, both included; checked by the caller
     */
    int compute(MemorySegment header, int sourcePort, long offset, int length) {
        int start = frame(header, sourcePort, offset, length);
        byte reserved = memory.get(ValueLayout.JAVA_BYTE, offset + BTH_RESERVED);
        memory.set(ValueLayout.JAVA_BYTE, offset + BTH_RESERVED, (byte) -1);
        crc.reset();
        crc.update(view.limit((int) offset + length - Integer.BYTES).position(start));
        memory.set(ValueLayout.JAVA_BYTE, offset + BTH_RESERVED, reserved);
        return (int) crc.getValue();
    }

    /** Stores the CRC of {@link #compute} in the packet's last four bytes. */
    void seal(MemorySegment header, int sourcePort, long offset, int length) {
        memory.set(STORED, offset + length - Integer.BYTES, compute(header, sourcePort, offset, length));
    }

    /** Whether the packet's last four bytes are its CRC; see the class comment for IPv4. Parameters as there. */
    boolean verify(MemorySegment header, int sourcePort, long offset, int length) {
        int stored = memory.get(STORED, offset + length - Integer.BYTES);
        int difference = compute(header, sourcePort, offset, length) ^ stored;
        boolean ipv4 = header.byteSize() == ONES + IPV4_UDP;
        return difference == 0 || (ipv4 && (identification(difference, length) >>> 16) == 0);
    }

    /**
     * The identification that makes this difference, with its bytes swapped, or a number that does not fit 16 bits.
     *
     * @param length from BTH to ICRC, both included; a multiple of 4
     */
    static int identification(int difference, int length) {
        return multiply(BACK[(length - Integer.BYTES + HEADER_FROM_IDENTIFICATION) / 4], difference);
    }

    /** Puts the header in front of the packet and returns where it begins. */
    private int frame(MemorySegment header, int sourcePort, long offset, int length) {
        long size = header.byteSize();
        long start = offset - size;
        MemorySegment.copy(header, 0, memory, start, size);
        if (size == ONES + IPV4_UDP) {
            memory.set(SHORT, start + ONES + 2, (short) (IPV4_UDP + length));
        } else {
            memory.set(SHORT, start + ONES + 4, (short) (8 + length));
        }
        memory.set(SHORT, offset - 8, (short) sourcePort);
        memory.set(SHORT, offset - 4, (short) (8 + length));
        return (int) start;
    }

    /** The product of two polynomials over GF(2) modulo the CRC's, bit-reflected: the top bit is x to the 0. */
    static int multiply(int a, int b) {
        int product = 0;
        int power = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            product ^= power & (rest >> 31);
            power = (power >>> 1) ^ (POLYNOMIAL & -(power & 1));
        }
        return product;
    }
}
