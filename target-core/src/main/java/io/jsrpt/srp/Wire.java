package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Big-endian access to unaligned fields. */
final class Wire {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Wire() {}

    static int u8(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }

    static int u16(MemorySegment memory, long offset) {
        return memory.get(SHORT, offset) & 0xffff;
    }

    static int i32(MemorySegment memory, long offset) {
        return memory.get(INT, offset);
    }

    static long u32(MemorySegment memory, long offset) {
        return memory.get(INT, offset) & 0xffff_ffffL;
    }

    static long i64(MemorySegment memory, long offset) {
        return memory.get(LONG, offset);
    }

    static void put8(MemorySegment memory, long offset, int value) {
        memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }

    static void put16(MemorySegment memory, long offset, int value) {
        memory.set(SHORT, offset, (short) value);
    }

    static void put32(MemorySegment memory, long offset, long value) {
        memory.set(INT, offset, (int) value);
    }

    static void put64(MemorySegment memory, long offset, long value) {
        memory.set(LONG, offset, value);
    }

    static void zero(MemorySegment memory, long offset, long length) {
        memory.asSlice(offset, length).fill((byte) 0);
    }
}
