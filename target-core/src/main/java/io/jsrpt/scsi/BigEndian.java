package io.jsrpt.scsi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Integers in byte arrays, most significant byte first. */
final class BigEndian {
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private BigEndian() {
    }

    static void putShort(byte[] into, int at, int value) {
        SHORTS.set(into, at, (short) value);
    }

    static void putInt(byte[] into, int at, int value) {
        INTS.set(into, at, value);
    }

    static void putLong(byte[] into, int at, long value) {
        LONGS.set(into, at, value);
    }
}
