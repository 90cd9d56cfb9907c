package io.jsrpt.scsi;

/** Where commands on a range of blocks have their fields, by the length of their CDB (SPC-4 4.2.2). */
enum CdbLayout {
    SIX(4),
    TEN(7),
    TWELVE(6),
    SIXTEEN(10);

    /** FUA, and FUA_NV of SBC-2, obsolete since: with no non-volatile cache here it asks for no less than FUA. */
    private static final int FUA = 0x0A;

    /** The offset of the transfer length. */
    private final int lengthAt;

    CdbLayout(int lengthAt) {
        this.lengthAt = lengthAt;
    }

    /** The logical block address; of the long form's 64 bits it may be negative as a Java long. */
    long address(Cdb cdb) {
        return switch (this) {
            case SIX -> cdb.u32(0) & 0x1F_FFFF;
            case TEN, TWELVE -> cdb.u32(2);
            case SIXTEEN -> cdb.u64(2);
        };
    }

    /** The number of blocks. */
    long blocks(Cdb cdb) {
        return switch (this) {
            // SBC-3 5.11: READ (6) and WRITE (6) cannot say zero, it means 256
            case SIX -> cdb.u8(4) == 0 ? 256 : cdb.u8(4);
            case TEN -> cdb.u16(7);
            case TWELVE -> cdb.u32(6);
            case SIXTEEN -> cdb.u32(10);
        };
    }

    /** Whether a READ or WRITE goes past the volatile cache. */
    boolean forceUnitAccess(Cdb cdb) {
        return this != SIX && (cdb.u8(1) & FUA) != 0;
    }

    /**
     * Takes the range of blocks from the CDB into the task and checks that it is on the medium.
     *
     * @return whether it is; if not, the task has failed with the first address that is not there (SBC-3 4.18.1)
     */
    boolean takeRange(ScsiTask task) {
        return takeRange(task, address(task.cdb), blocks(task.cdb));
    }

    /** The same for a range that stands elsewhere in the CDB. */
    static boolean takeRange(ScsiTask task, long lba, long blocks) {
        task.lba = lba;
        task.blocks = blocks;
        long count = task.unit.blockCount();
        if (Long.compareUnsigned(task.lba, count) >= 0) {
            task.failAt(SenseCondition.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE, task.lba);
            return false;
        }
        if (task.blocks > count - task.lba) {
            task.failAt(SenseCondition.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE, count);
            return false;
        }
        return true;
    }

    /** Checks the transfer length against the maximum; if it is longer, the task has failed. */
    boolean withinMaximum(ScsiTask task) {
        if (task.blocks <= task.unit.settings().maxTransferBlocks()) {
            return true;
        }
        invalidLength(task);
        return false;
    }

    /** Ends the command with INVALID FIELD IN CDB, pointing at the number of blocks. */
    ScsiTask.Phase invalidLength(ScsiTask task) {
        return task.invalidField(lengthAt, 7);
    }
}
