package io.jsrpt.scsi;

/**
 * WRITE AND VERIFY (10), (12) and (16), SBC-3 5.36 to 5.38: writes to the medium, reads it again, and with BYTCHK 1
 * compares.
 */
record WriteAndVerifyCommand(CdbLayout layout) implements CommandHandler {
    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (!layout.takeRange(task) || !layout.withinMaximum(task)) {
            return ScsiTask.Phase.COMPLETE;
        }
        return task.dataOut(task.unit.bytes(task.blocks));
    }

    @Override
    public void execute(ScsiTask task) {
        StoreCalls.write(task, task.unit.bytes(task.lba), task.buffer(), true, new NextStep(task, failure(),
            () -> VerifyCommand.check(task, VerifyCommand.byteCheck(task.cdb))));
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }
}
