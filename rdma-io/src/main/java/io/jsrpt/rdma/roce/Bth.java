package io.jsrpt.rdma.roce;

/**
 * The transport headers (IBTA volume 1, chapter 9.2 and 9.3): base (BTH), RDMA extended (RETH), acknowledge (AETH) and
 * datagram (DETH), read and written in place. An address is that of the BTH unless a method says otherwise.
 *
 * <pre>
 * BTH   0 opcode | 1 SE, M, pad count, version | 2..3 partition key | 4 reserved | 5..7 destination queue pair
 *       8 AckReq   | 9..11 packet sequence number
 * RETH  0..7 virtual address | 8..11 key | 12..15 DMA length
 * AETH  0 syndrome | 1..3 message sequence number
 * DETH  0..3 queue key | 4 reserved | 5..7 source queue pair
 * </pre>
 */
final class Bth {
    static final int BYTES = 12;
    static final int RETH_BYTES = 16;
    static final int AETH_BYTES = 4;
    static final int DETH_BYTES = 8;
    static final int IMMEDIATE_BYTES = 4;
    static final int ICRC_BYTES = 4;

    /** The default partition, full member. */
    static final int DEFAULT_PARTITION = 0xffff;

    static final int SEND_FIRST = 0;
    static final int SEND_MIDDLE = 1;
    static final int SEND_LAST = 2;
    static final int SEND_LAST_IMMEDIATE = 3;
    static final int SEND_ONLY = 4;
    static final int SEND_ONLY_IMMEDIATE = 5;
    static final int WRITE_FIRST = 6;
    static final int WRITE_MIDDLE = 7;
    static final int WRITE_LAST = 8;
    static final int WRITE_LAST_IMMEDIATE = 9;
    static final int WRITE_ONLY = 10;
    static final int WRITE_ONLY_IMMEDIATE = 11;
    static final int READ_REQUEST = 12;
    static final int READ_RESPONSE_FIRST = 13;
    static final int READ_RESPONSE_MIDDLE = 14;
    static final int READ_RESPONSE_LAST = 15;
    static final int READ_RESPONSE_ONLY = 16;
    static final int ACKNOWLEDGE = 17;
    static final int ATOMIC_ACKNOWLEDGE = 18;

    /** The last opcode of the reliable-connected class that is defined: SEND only with invalidate. */
    static final int LAST_RELIABLE = 23;

    static final int UD_SEND_ONLY = 0x64;

    /** In byte 1: the receiver is to be notified. */
    static final int SOLICITED = 0x80;

    /** In byte 1: path migration state; a port without automatic path migration sends "migrated". */
    private static final int MIGRATED = 0x40;

    private static final int ACK_REQUEST = 0x80;

    private Bth() {}

    /** Writes a BTH. */
    static void write(long at, int opcode, int flags, int pad, int destination, boolean ackRequest, int psn) {
        Native.putByte(at, opcode);
        Native.putByte(at + 1, flags | MIGRATED | pad << 4);
        Native.putShort(at + 2, DEFAULT_PARTITION);
        Native.putInt(at + 4, destination & Psn.MASK);
        Native.putInt(at + 8, (ackRequest ? ACK_REQUEST << 24 : 0) | (psn & Psn.MASK));
    }

    /** Writes a RETH at its own address. */
    static void writeReth(long at, long virtualAddress, int key, int length) {
        Native.putLong(at, virtualAddress);
        Native.putInt(at + 8, key);
        Native.putInt(at + 12, length);
    }

    /** Writes an AETH at its own address. */
    static void writeAeth(long at, int syndrome, int msn) {
        Native.putInt(at, syndrome << 24 | (msn & Psn.MASK));
    }

    static int opcode(long at) {
        return Native.getByte(at);
    }

    static boolean solicited(long at) {
        return (Native.getByte(at + 1) & SOLICITED) != 0;
    }

    static int pad(long at) {
        return Native.getByte(at + 1) >> 4 & 3;
    }

    static int version(long at) {
        return Native.getByte(at + 1) & 15;
    }

    static int partition(long at) {
        return Native.getShort(at + 2);
    }

    static int destination(long at) {
        return Native.getInt(at + 4) & Psn.MASK;
    }

    static boolean ackRequest(long at) {
        return (Native.getByte(at + 8) & ACK_REQUEST) != 0;
    }

    static int psn(long at) {
        return Native.getInt(at + 8) & Psn.MASK;
    }

    /** The bytes of the headers that a packet with this reliable-connected opcode begins with. */
    static int headerBytes(int opcode) {
        return switch (opcode) {
            case WRITE_FIRST, WRITE_ONLY, READ_REQUEST -> BYTES + RETH_BYTES;
            case WRITE_ONLY_IMMEDIATE -> BYTES + RETH_BYTES + IMMEDIATE_BYTES;
            case SEND_LAST_IMMEDIATE, SEND_ONLY_IMMEDIATE, WRITE_LAST_IMMEDIATE, 22, 23 -> BYTES + IMMEDIATE_BYTES;
            case READ_RESPONSE_FIRST, READ_RESPONSE_LAST, READ_RESPONSE_ONLY, ACKNOWLEDGE -> BYTES + AETH_BYTES;
            case ATOMIC_ACKNOWLEDGE -> BYTES + AETH_BYTES + 8;
            case 19, 20 -> BYTES + 28;
            default -> BYTES;
        };
    }

    /** Whether a packet with this opcode answers a request of its receiver. */
    static boolean isResponse(int opcode) {
        return opcode >= READ_RESPONSE_FIRST && opcode <= ATOMIC_ACKNOWLEDGE;
    }

    /** The pad bytes that make a payload a multiple of four. */
    static int padFor(int length) {
        return -length & 3;
    }
}
