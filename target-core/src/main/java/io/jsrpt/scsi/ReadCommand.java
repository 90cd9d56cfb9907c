package io.jsrpt.scsi;

import java.lang.foreign.MemorySegment;

/** READ (6), (10), (12) and (16), SBC-3 5.11 to 5.14. */
record ReadCommand(CdbLayout layout) implements CommandHandler {
    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (!layout.takeRange(task) || !layout.withinMaximum(task)) {
            return ScsiTask.Phase.COMPLETE;
        }
        return task.dataIn(task.unit.bytes(task.blocks));
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit;
        MemorySegment buffer = task.buffer();
        unit.counters().reads(buffer.byteSize());
        if (layout.forceUnitAccess(task.cdb) || (buffer.byteSize() & unit.blockSize() - 1) != 0) {
            readInSteps(task);
        } else {
            StoreCalls.read(task, unit.bytes(task.lba), buffer, task.transferDone());
        }
    }

    /**
     * The rare cases: a forced read, for which newer data in a volatile cache is first written to the medium; and room
     * that ends inside a block, for which the last block is read aside, since a store knows whole blocks only.
     */
    private void readInSteps(ScsiTask task) {
        if (layout.forceUnitAccess(task.cdb)) {
            StoreCalls.flush(task, new NextStep(task, failure(), () -> readWholeBlocks(task)));
        } else {
            readWholeBlocks(task);
        }
    }

    private void readWholeBlocks(ScsiTask task) {
        LogicalUnit unit = task.unit;
        MemorySegment buffer = task.buffer();
        long rest = buffer.byteSize() & unit.blockSize() - 1;
        long whole = buffer.byteSize() - rest;
        if (rest == 0) {
            StoreCalls.read(task, unit.bytes(task.lba), buffer, task.transferDone());
        } else if (whole == 0) {
            readPartialBlock(task, 0, rest);
        } else {
            StoreCalls.read(task, unit.bytes(task.lba), buffer.asSlice(0, whole),
                new NextStep(task, failure(), () -> readPartialBlock(task, whole, rest)));
        }
    }

    private void readPartialBlock(ScsiTask task, long at, long length) {
        LogicalUnit unit = task.unit;
        MemorySegment block = StoreCalls.scratch(unit.blockSize());
        MemorySegment into = task.buffer();
        StoreCalls.read(task, unit.bytes(task.lba) + at, block, new NextStep(task, failure(), () -> {
            MemorySegment.copy(block, 0, into, at, length);
            task.finish();
        }));
    }
}
