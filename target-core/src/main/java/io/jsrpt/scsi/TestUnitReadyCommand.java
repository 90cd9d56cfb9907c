package io.jsrpt.scsi;

/** TEST UNIT READY, SPC-4 6.47. */
record TestUnitReadyCommand() implements CommandHandler {
    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        boolean stopped = task.addressee == Addressee.UNIT && task.unit.stopped();
        return stopped ? task.fail(SenseCondition.INITIALIZING_COMMAND_REQUIRED) : task.good();
    }
}
