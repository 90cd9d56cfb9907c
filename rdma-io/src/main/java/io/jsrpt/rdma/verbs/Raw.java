package io.jsrpt.rdma.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Native memory by address, in the host's byte order: structures that the libraries own. The addresses come from the
 * libraries and are valid until the call that frees them; see {@link Gate} for how that is kept.
 */
final class Raw {
    // SAFETY: spans all memory; every address used with it was returned by the libraries and is not yet freed
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private Raw() {}

    static int getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address) & 0xff;
    }

    static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG, address);
    }

    static byte[] bytes(long address, int length) {
        byte[] to = new byte[length];
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, to, 0, length);
        return to;
    }

    /** A string that ends with a zero byte, at most {@code limit} bytes of it. */
    static String string(long address, int limit) {
        if (address == 0) {
            return "";
        }
        int length = 0;
        while (length < limit && getByte(address + length) != 0) {
            length++;
        }
        return new String(bytes(address, length), StandardCharsets.UTF_8);
    }

    /** A function that takes part in a call by its address. */
    static MemorySegment function(long address) {
        return MemorySegment.ofAddress(address);
    }
}
