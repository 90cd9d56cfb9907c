package io.jsrpt.scsi;

/** WRITE (6), (10), (12) and (16), SBC-3 5.32 to 5.35. */
record WriteCommand(CdbLayout layout) implements CommandHandler {
    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (!layout.takeRange(task) || !layout.withinMaximum(task)) {
            return ScsiTask.Phase.COMPLETE;
        }
        return task.dataOut(task.unit.bytes(task.blocks));
    }

    @Override
    public void execute(ScsiTask task) {
        LogicalUnit unit = task.unit;
        unit.counters().writes(task.bufferLength());
        boolean force = !unit.writeCache() || layout.forceUnitAccess(task.cdb);
        StoreCalls.write(task, unit.bytes(task.lba), task.buffer(), force, task.transferDone());
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }
}
