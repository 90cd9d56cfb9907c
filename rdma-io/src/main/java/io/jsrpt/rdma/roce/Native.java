package io.jsrpt.rdma.roce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Access to native memory by address. Work requests and packets are plain addresses here, so that a packet costs no
 * object. Callers have checked every address and length against a memory region or a packet before.
 */
final class Native {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Native() {}

    static int getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address) & 0xff;
    }

    static int getShort(long address) {
        return ALL.get(SHORT, address) & 0xffff;
    }

    static int getInt(long address) {
        return ALL.get(INT, address);
    }

    static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    static void putByte(long address, int value) {
        ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
    }

    static void putShort(long address, int value) {
        ALL.set(SHORT, address, (short) value);
    }

    static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    /** Clears up to three bytes, a packet's pad. */
    static void zero(long address, int bytes) {
        for (int i = 0; i < bytes; i++) {
            putByte(address + i, 0);
        }
    }

    static void copy(byte[] from, long to) {
        MemorySegment.copy(from, 0, ALL, ValueLayout.JAVA_BYTE, to, from.length);
    }

    static byte[] bytes(long from, int length) {
        byte[] to = new byte[length];
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, from, to, 0, length);
        return to;
    }
}
