package io.jsrpt.scsi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The first 16 bytes of a command descriptor block, held as two big-endian longs: all commands here are of at most 16
 * bytes, and a mask over all fields is then two operations. A copy, so that the receive buffer may go. Bytes that the
 * initiator did not send read as zero.
 */
final class Cdb {
    static final int LENGTH = 16;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private long high;
    private long low;
    private int length;

    /** Copies the block from {@code memory}. */
    void load(MemorySegment memory, long offset, int cdbLength) {
        length = cdbLength;
        if (cdbLength >= LENGTH) {
            high = memory.get(LONG, offset);
            low = memory.get(LONG, offset + 8);
            return;
        }
        high = 0;
        low = 0;
        for (int i = 0; i < cdbLength; i++) {
            long octet = memory.get(ValueLayout.JAVA_BYTE, offset + i) & 0xFF;
            if (i < 8) {
                high |= octet << (56 - 8 * i);
            } else {
                low |= octet << (120 - 8 * i);
            }
        }
    }

    /** How many bytes the initiator sent; may be more than are held. */
    int length() {
        return length;
    }

    int u8(int at) {
        return (int) (u64(at) >>> 56);
    }

    int u16(int at) {
        return (int) (u64(at) >>> 48);
    }

    long u32(int at) {
        return u64(at) >>> 32;
    }

    /** The 8 bytes from {@code at}, 0 to 15; those after the block's end are zero. */
    long u64(int at) {
        if (at >= 8) {
            return low << (8 * (at - 8));
        }
        return at == 0 ? high : (high << (8 * at)) | (low >>> (64 - 8 * at));
    }

    boolean bit(int at, int bit) {
        return (u8(at) >> bit & 1) != 0;
    }

    /**
     * The number of the first bit, 0 the leftmost of byte 0, that is set in the block but not in the mask; 128 when
     * there is none.
     */
    int firstBitOutside(long maskHigh, long maskLow) {
        long strayHigh = high & ~maskHigh;
        if (strayHigh != 0) {
            return Long.numberOfLeadingZeros(strayHigh);
        }
        return 64 + Long.numberOfLeadingZeros(low & ~maskLow);
    }

    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
