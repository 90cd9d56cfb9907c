package io.jsrpt.scsi;

import java.lang.foreign.MemorySegment;

/**
 * VERIFY (10), (12) and (16), SBC-3 5.27 to 5.29: reads the blocks, and with BYTCHK 1 compares them to the initiator's
 * data. Newer data in a volatile cache is first written to the medium.
 */
record VerifyCommand(CdbLayout layout) implements CommandHandler {
    private static final long CHUNK = 256 << 10;
    /** A store that answers at once answers inside the call, so a step is a stack frame: there is a most of them. */
    private static final long MOST_STEPS = 64;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int byteCheck = (task.cdb.u8(1) >> 1) & 3;
        if (byteCheck > 1) {
            return task.invalidField(1, 2);
        }
        if (!layout.takeRange(task) || !layout.withinMaximum(task)) {
            return ScsiTask.Phase.COMPLETE;
        }
        if (task.blocks == 0) {
            return task.good();
        }
        return byteCheck == 0 ? ScsiTask.Phase.NO_DATA : task.dataOut(task.unit.bytes(task.blocks));
    }

    @Override
    public void execute(ScsiTask task) {
        boolean compare = task.bufferLength() != 0;
        StoreCalls.flush(task, new NextStep(task, failure(), () -> step(task, compare, 0)));
    }

    private void step(ScsiTask task, boolean compare, long done) {
        LogicalUnit unit = task.unit;
        long total = unit.bytes(task.blocks);
        if (done == total) {
            task.finish();
            return;
        }
        long chunk = unit.bytes(Math.ceilDiv(task.blocks, MOST_STEPS));
        long length = Math.min(total - done, Math.max(CHUNK, chunk));
        MemorySegment medium = StoreCalls.scratch(length);
        StoreCalls.read(task, unit.bytes(task.lba) + done, medium, new NextStep(task, failure(), () -> {
            if (compare && medium.mismatch(task.buffer().asSlice(done, length)) >= 0) {
                task.finishFailed(SenseCondition.MISCOMPARE_DURING_VERIFY_OPERATION);
            } else {
                step(task, compare, done + length);
            }
        }));
    }
}
