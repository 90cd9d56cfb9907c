package io.jsrpt.scsi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** ORWRITE (16), SBC-3 5.7: sets bits. One step to all other writes, see {@link WriteGate}. */
record OrWriteCommand() implements CommandHandler {
    private static final CdbLayout LAYOUT = CdbLayout.SIXTEEN;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (!LAYOUT.takeRange(task) || !LAYOUT.withinMaximum(task)) {
            return ScsiTask.Phase.COMPLETE;
        }
        return task.dataOut(task.unit.bytes(task.blocks));
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit;
        long offset = unit.bytes(task.lba);
        long longest = Math.max(BlockWalk.STEP, unit.blockSize());
        MemorySegment medium = StoreCalls.scratch(Math.min(task.buffer().byteSize(), longest));
        BlockWalk.over(task, SenseCondition.UNRECOVERED_READ_ERROR, longest, (done, length, completion) -> {
            MemorySegment part = medium.asSlice(0, length);
            StoreCalls.read(task, offset + done, part, new AfterRead(completion,
                () -> or(task.buffer().asSlice(done, length), part)));
        }, () -> StoreCalls.write(task, offset, task.buffer(),
            !unit.writeCache() || LAYOUT.forceUnitAccess(task.cdb), task.transferDone()));
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }

    private static void or(MemorySegment into, MemorySegment with) {
        for (long at = 0; at < into.byteSize(); at += Long.BYTES) {
            into.set(ValueLayout.JAVA_LONG_UNALIGNED, at, into.get(ValueLayout.JAVA_LONG_UNALIGNED, at)
                | with.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
        }
    }
}
