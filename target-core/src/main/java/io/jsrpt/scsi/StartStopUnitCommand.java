package io.jsrpt.scsi;

/** START STOP UNIT, SBC-3 5.24. A stop flushes first, unless told not to; the medium cannot be loaded or ejected. */
record StartStopUnitCommand() implements CommandHandler {
    private static final int NO_FLUSH = 2;
    private static final int LOEJ = 1;
    private static final int START = 0;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (task.cdb.u8(4) >> 4 != 0) {
            return task.invalidField(4, 7);
        }
        if (task.cdb.bit(4, LOEJ)) {
            return task.invalidField(4, LOEJ);
        }
        boolean start = task.cdb.bit(4, START);
        if (start || task.cdb.bit(4, NO_FLUSH)) {
            task.unit.stopped(!start);
            return task.good();
        }
        task.lba = 0;
        return ScsiTask.Phase.NO_DATA;
    }

    @Override
    public void execute(ScsiTask task) {
        StoreCalls.flush(task, new NextStep(task, failure(), () -> {
            task.unit.stopped(true);
            task.finish();
        }));
    }

    @Override
    public boolean alwaysAllowed(Cdb cdb) {
        return cdb.bit(4, START) && cdb.u8(4) >> 4 == 0;
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }
}
