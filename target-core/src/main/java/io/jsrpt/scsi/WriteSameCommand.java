package io.jsrpt.scsi;

import java.lang.foreign.MemorySegment;

/**
 * WRITE SAME (10) and (16), SBC-3 5.43 and 5.44: writes one block over and over; with NDOB a block of zeros that is not
 * sent. Zeros on a thin unit are unmapped, with or without the UNMAP bit: they read as zeros then (LBPRZ). Other data
 * is written, with or without that bit, since what is unmapped would not read as that data.
 *
 * <p>No blocks, which could mean all up to the last, is refused (WSNZ is 1): no initiator should ask for more than the
 * page says that one command may take. Anchored blocks are not supported: the usage data refuses ANCHOR.
 */
record WriteSameCommand(CdbLayout layout) implements CommandHandler {
    private static final int NDOB = 0;
    /** The longest range of one command, in bytes: what a store can do before an initiator loses patience. */
    private static final long MOST_BYTES = 16L << 20;

    /** The MAXIMUM WRITE SAME LENGTH of the Block Limits page, in blocks. */
    static long maximum(LogicalUnit unit) {
        return MOST_BYTES / unit.blockSize();
    }

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (!layout.takeRange(task)) {
            return ScsiTask.Phase.COMPLETE;
        }
        if (task.blocks == 0 || task.blocks > maximum(task.unit)) {
            return layout.invalidLength(task);
        }
        return withoutData(task) ? ScsiTask.Phase.NO_DATA : task.dataOutExactly(task.unit.blockSize());
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit;
        long offset = unit.bytes(task.lba);
        boolean force = !unit.writeCache();
        boolean zeros = withoutData(task) || isZero(task.buffer());
        if (zeros && unit.thin()) {
            StoreCalls.unmap(task, offset, unit.bytes(task.blocks), force, task.transferDone());
            return;
        }
        long longest = Math.max(BlockWalk.STEP, unit.blockSize());
        MemorySegment pattern = StoreCalls.scratch(Math.min(longest, unit.bytes(task.blocks)));
        if (!zeros) {
            repeat(task.buffer(), pattern);
        }
        BlockWalk.over(task, (done, length, completion) ->
            StoreCalls.write(task, offset + done, pattern.asSlice(0, length), force, completion));
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }

    private boolean withoutData(ScsiTask task) {
        return layout == CdbLayout.SIXTEEN && task.cdb.bit(1, NDOB);
    }

    private static boolean isZero(MemorySegment block) {
        return StoreCalls.scratch(block.byteSize()).mismatch(block) < 0;
    }

    private static void repeat(MemorySegment block, MemorySegment into) {
        for (long at = 0; at < into.byteSize(); at += block.byteSize()) {
            MemorySegment.copy(block, 0, into, at, block.byteSize());
        }
    }
}
