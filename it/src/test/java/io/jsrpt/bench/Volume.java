package io.jsrpt.bench;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * What the logical unit must hold: each page is random bytes between two stamps, which tell the page's number and which
 * write it comes from. So data of another place, of an earlier write, or from an earlier use of a buffer show.
 */
final class Volume {
    static final int PAGE_BYTES = 4096;

    private static final long LAST_WORD = PAGE_BYTES - Long.BYTES;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment filler = MemorySegment.ofArray(new byte[PAGE_BYTES]);
    private final int[] writes;
    private int lastWrite;

    /** A volume of this many pages that nothing was written to yet. */
    Volume(int pages) {
        writes = new int[pages];
        SplittableRandom random = new SplittableRandom(pages);
        for (long at = 0; at < PAGE_BYTES; at += Long.BYTES) {
            filler.set(WORD, at, random.nextLong());
        }
    }

    int pages() {
        return writes.length;
    }

    /** Fills a buffer's pages with the bytes between stamps; {@link #stamp} and {@link #erase} keep them. */
    void prepare(MemorySegment buffer) {
        for (long at = 0; at < buffer.byteSize(); at += PAGE_BYTES) {
            MemorySegment.copy(filler, 0, buffer, at, PAGE_BYTES);
        }
    }

    /** Makes a buffer's pages those of a new write to this place; returns the write's number. */
    int stamp(MemorySegment buffer, int firstPage) {
        int write = ++lastWrite;
        int page = firstPage;
        for (long at = 0; at < buffer.byteSize(); at += PAGE_BYTES) {
            put(buffer, at, stampOf(page++, write));
        }
        return write;
    }

    /** Takes the stamps out of a buffer, before a read into it. */
    void erase(MemorySegment buffer) {
        for (long at = 0; at < buffer.byteSize(); at += PAGE_BYTES) {
            put(buffer, at, 0);
        }
    }

    /** A write has ended well: its pages are on the volume now. */
    void written(int firstPage, int count, int write) {
        for (int page = firstPage; page < firstPage + count; page++) {
            writes[page] = write;
        }
    }

    /**
     * Checks what was read from this place.
     *
     * @param whole whether every byte is looked at, or the stamps only
     * @throws IllegalStateException when it is not what was written there last
     */
    void check(MemorySegment buffer, int firstPage, boolean whole) {
        int page = firstPage;
        for (long at = 0; at < buffer.byteSize(); at += PAGE_BYTES, page++) {
            long expected = stampOf(page, writes[page]);
            boolean good = buffer.get(WORD, at) == expected && buffer.get(WORD, at + LAST_WORD) == ~expected
                && (!whole || MemorySegment.mismatch(
                    filler, Long.BYTES, LAST_WORD, buffer, at + Long.BYTES, at + LAST_WORD) < 0);
            if (!good) {
                throw new IllegalStateException("wrong data read: page " + page + " of the volume has stamps "
                    + Long.toHexString(buffer.get(WORD, at)) + " and "
                    + Long.toHexString(buffer.get(WORD, at + LAST_WORD)) + ", expected " + Long.toHexString(expected)
                    + " and its complement");
            }
        }
    }

    private static long stampOf(int page, int write) {
        return (long) page << 32 | write;
    }

    private static void put(MemorySegment buffer, long at, long stamp) {
        buffer.set(WORD, at, stamp);
        buffer.set(WORD, at + LAST_WORD, ~stamp);
    }
}
