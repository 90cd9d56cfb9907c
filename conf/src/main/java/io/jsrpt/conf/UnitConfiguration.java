package io.jsrpt.conf;

import java.nio.file.Path;
import java.util.Optional;

/**
 * One logical unit of a configuration. Sizes in bytes.
 *
 * @param lun the logical unit number
 * @param medium where the blocks are
 * @param blockSize the logical block length, 512 or 4096
 * @param physicalBlockSize the physical block length, a power of two from the logical one to 64 KiB
 * @param readOnly whether writes are refused
 * @param writeCache whether a volatile write cache is reported, that SYNCHRONIZE CACHE empties
 * @param vendor the vendor identification, at most 8 characters
 * @param product the product identification, at most 16 characters
 * @param revision the product revision level, at most 4 characters
 * @param serial the unit serial number
 * @param naa the world-wide name (NAA), 32 hexadecimal digits, the first of them 6
 */
public record UnitConfiguration(int lun, Medium medium, int blockSize, int physicalBlockSize, boolean readOnly,
        boolean writeCache, String vendor, String product, String revision, String serial, String naa) {

    /** Where a logical unit's blocks are. */
    public sealed interface Medium {
    }

    /** Main memory, all zeros at each start. */
    public record Memory(long size) implements Medium {
    }

    /**
     * A file or block device.
     *
     * @param path where it is
     * @param size its size; empty: as it is found
     * @param threads that read and write it
     * @param reservations the file that keeps persistent reservations over a restart (APTPL); empty: none does
     */
    public record File(Path path, Optional<Long> size, int threads, Optional<Path> reservations) implements Medium {
    }
}
