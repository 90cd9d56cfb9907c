package io.jsrpt.scsi;

import java.lang.foreign.MemorySegment;

/**
 * COMPARE AND WRITE, SBC-3 5.2: the data-out buffer has the blocks that are expected, then those to be written when the
 * medium has what is expected. One step to all other writes, see {@link WriteGate}.
 */
record CompareAndWriteCommand() implements CommandHandler {
    private static final int BLOCKS_AT = 13;
    /** The NUMBER OF LOGICAL BLOCKS field is a byte. */
    private static final long MOST_BLOCKS = 255;

    /** The MAXIMUM COMPARE AND WRITE LENGTH of the Block Limits page: both instances must fit a transfer. */
    static int maximum(LogicalUnit unit) {
        return (int) Math.min(MOST_BLOCKS, unit.settings().maxTransferBlocks() / 2);
    }

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (!CdbLayout.takeRange(task, task.cdb.u64(2), task.cdb.u8(BLOCKS_AT))) {
            return ScsiTask.Phase.COMPLETE;
        }
        if (task.blocks > maximum(task.unit)) {
            return task.invalidField(BLOCKS_AT, 7);
        }
        return task.dataOut(2 * task.unit.bytes(task.blocks));
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit;
        long offset = unit.bytes(task.lba);
        long length = unit.bytes(task.blocks);
        MemorySegment medium = StoreCalls.scratch(length);
        StoreCalls.read(task, offset, medium, new NextStep(task, SenseCondition.UNRECOVERED_READ_ERROR, () -> {
            long differs = medium.mismatch(task.buffer().asSlice(0, length));
            if (differs >= 0) {
                task.finishFailedAt(SenseCondition.MISCOMPARE_DURING_VERIFY_OPERATION, differs);
                return;
            }
            boolean force = !unit.writeCache() || CdbLayout.SIXTEEN.forceUnitAccess(task.cdb);
            StoreCalls.write(task, offset, task.buffer().asSlice(length, length), force, task.transferDone());
        }));
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }
}
