package io.jsrpt.scsi;

/**
 * SYNCHRONIZE CACHE (10) and (16), SBC-3 5.25 and 5.26. The whole store is flushed, whatever the range. IMMED allows an
 * early answer; it is not used, so that a failed flush is told to the initiator that asked for it.
 */
record SynchronizeCacheCommand(CdbLayout layout) implements CommandHandler {
    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        return layout.takeRange(task) ? ScsiTask.Phase.NO_DATA : ScsiTask.Phase.COMPLETE;
    }

    @Override
    public void execute(ScsiTask task) {
        StoreCalls.flush(task, task.transferDone());
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }
}
