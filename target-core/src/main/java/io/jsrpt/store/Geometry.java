package io.jsrpt.store;

import java.util.Optional;

/** What sizes a store can have. */
final class Geometry {
    private static final int SMALLEST_BLOCK = 512;
    private static final int LARGEST_BLOCK = 1 << 20;

    private Geometry() {
    }

    /** What is wrong with a geometry, as the end of a sentence; empty when nothing is. */
    static Optional<String> check(long size, int blockSize) {
        if (blockSize < SMALLEST_BLOCK || blockSize > LARGEST_BLOCK || Integer.bitCount(blockSize) != 1) {
            return Optional.of("cannot have blocks of " + blockSize + " bytes: a block size is a power of two from "
                + SMALLEST_BLOCK + " to " + LARGEST_BLOCK);
        }
        if (size < blockSize) {
            return Optional.of("of " + size + " bytes is smaller than one block of " + blockSize + " bytes");
        }
        if ((size & blockSize - 1) != 0) {
            return Optional.of("of " + size + " bytes is not a whole number of blocks of " + blockSize + " bytes");
        }
        return Optional.empty();
    }
}
