package io.jsrpt.scsi;

import io.jsrpt.store.BlockStore;

/**
 * A disk: an identity, a store, and how it behaves. Used by all sessions at once; the only state that changes is
 * whether it is started, and that is a single flag.
 */
public final class LogicalUnit {
    private final LogicalUnitIdentity identity;
    private final BlockStore store;
    private final LogicalUnitSettings settings;
    private final int blockShift;
    private final long blockCount;
    private volatile boolean stopped;

    /**
     * A unit over an open store, which stays the caller's to close.
     *
     * @throws IllegalArgumentException when the store's geometry cannot be served, or a transfer of the maximum length
     *     does not fit a buffer
     */
    public LogicalUnit(LogicalUnitIdentity identity, BlockStore store, LogicalUnitSettings settings) {
        int blockSize = store.blockSize();
        if (blockSize < 512 || Integer.bitCount(blockSize) != 1 || blockSize > 1 << 20) {
            throw new IllegalArgumentException("a block size of " + blockSize + " bytes cannot be served");
        }
        this.blockShift = Integer.numberOfTrailingZeros(blockSize);
        this.blockCount = store.blockCount();
        if (blockCount < 1 || blockCount > Long.MAX_VALUE >> blockShift) {
            throw new IllegalArgumentException("a store of " + blockCount + " blocks cannot be served");
        }
        if (settings.maxTransferBlocks() > Integer.MAX_VALUE >> blockShift) {
            throw new IllegalArgumentException("a transfer of " + settings.maxTransferBlocks() + " blocks of "
                + blockSize + " bytes is longer than a buffer can be");
        }
        this.identity = identity;
        this.store = store;
        this.settings = settings;
    }

    public LogicalUnitIdentity identity() {
        return identity;
    }

    public LogicalUnitSettings settings() {
        return settings;
    }

    /** The store that holds the blocks. */
    public BlockStore store() {
        return store;
    }

    /** The logical block length in bytes. */
    public int blockSize() {
        return 1 << blockShift;
    }

    /** The number of logical blocks. */
    public long blockCount() {
        return blockCount;
    }

    /** Whether writes are refused, by the store or by the settings. */
    public boolean writeProtected() {
        return settings.writeProtected() || store.readOnly();
    }

    /** Whether space can be given back, and read capacity data says so (LBPME). */
    boolean thin() {
        return false;
    }

    /** A logical unit reset (SAM-5 6.3.3): the unit is started again. Tasks are the caller's to abort. */
    public void reset() {
        stopped = false;
    }

    /** A number of blocks in bytes. */
    long bytes(long blocks) {
        return blocks << blockShift;
    }

    boolean stopped() {
        return stopped;
    }

    void stopped(boolean now) {
        stopped = now;
    }
}
