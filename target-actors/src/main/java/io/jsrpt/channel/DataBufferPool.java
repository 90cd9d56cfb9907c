package io.jsrpt.channel;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A channel's registered data memory, given out in contiguous runs of 4 KiB units, first fit. A run is contiguous so
 * that a store sees one segment and an RDMA operation one scatter-gather entry. Owner only.
 */
final class DataBufferPool {
    /** Bytes of a unit. */
    static final int UNIT = 4096;

    private static final int NONE = -1;

    private final MemorySegment memory;
    private final int units;
    /** A set bit is a unit that is taken; bits past the last unit are always set. */
    private final long[] taken;
    /** The last slice that was made at each unit, since the same lengths come again and again. */
    private final MemorySegment[] slices;
    private int unitsTaken;

    DataBufferPool(MemorySegment memory) {
        this.memory = memory;
        units = Math.toIntExact(memory.byteSize() / UNIT);
        taken = new long[(units + Long.SIZE - 1) / Long.SIZE];
        slices = new MemorySegment[units];
        Arrays.fill(slices, MemorySegment.NULL);
        if (units % Long.SIZE != 0) {
            taken[taken.length - 1] = -1L << (units % Long.SIZE);
        }
    }

    /** The units that so many bytes need. */
    static int unitsFor(long bytes) {
        return Math.toIntExact((bytes + UNIT - 1) / UNIT);
    }

    /** Takes a run of units; -1 when no run is long enough. */
    int take(int count) {
        if (count < 1 || count > units) {
            throw new IllegalArgumentException("not a run of a pool of " + units + " units: " + count);
        }
        if (count > units - unitsTaken) {
            return NONE;
        }
        int start = next(0, false);
        while (start + count <= units) {
            int end = next(start, true);
            if (end - start >= count) {
                mark(start, count);
                unitsTaken += count;
                return start;
            }
            start = next(end, false);
        }
        return NONE;
    }

    /** Gives a run back. */
    void give(int start, int count) {
        for (int unit = start; unit < start + count; unit++) {
            long bit = 1L << unit;
            if ((taken[unit / Long.SIZE] & bit) == 0) {
                throw new IllegalStateException("unit " + unit + " was given back twice");
            }
            taken[unit / Long.SIZE] &= ~bit;
        }
        unitsTaken -= count;
    }

    /** The first bytes of a run. */
    MemorySegment slice(int start, int length) {
        MemorySegment cached = slices[start];
        if (cached.byteSize() != length) {
            cached = memory.asSlice((long) start * UNIT, length);
            slices[start] = cached;
        }
        return cached;
    }

    /** The address of a run. */
    long address(int start) {
        return memory.address() + (long) start * UNIT;
    }

    int unitsTaken() {
        return unitsTaken;
    }

    private void mark(int start, int count) {
        for (int unit = start; unit < start + count; unit++) {
            taken[unit / Long.SIZE] |= 1L << unit;
        }
    }

    /** The first unit from {@code from} on that is taken, or is free; the number of units when there is none. */
    private int next(int from, boolean wantTaken) {
        int word = from / Long.SIZE;
        long mask = -1L << from;
        while (word < taken.length) {
            long bits = (wantTaken ? taken[word] : ~taken[word]) & mask;
            if (bits != 0) {
                return Math.min(units, word * Long.SIZE + Long.numberOfTrailingZeros(bits));
            }
            mask = -1L;
            word++;
        }
        return units;
    }
}
