package io.jsrpt.scsi;

/** REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS, SPC-4 6.36: those that SRP can ask for, but for CLEAR ACA. */
record ReportTaskManagementCommand() implements CommandHandler {
    /** ABORT TASK, ABORT TASK SET, CLEAR TASK SET and LOGICAL UNIT RESET. */
    private static final int SUPPORTED = 0xD8;
    private static final int LENGTH = 4;
    private static final int EXTENDED_LENGTH = 16;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (task.cdb.u32(6) < LENGTH) {
            return task.invalidField(6, 7);
        }
        boolean extended = task.cdb.bit(2, 7);
        byte[] data = new byte[extended ? EXTENDED_LENGTH : LENGTH];
        data[0] = (byte) SUPPORTED;
        // extended data, SPC-4 table 301: what follows byte 3, and no time limits are known
        data[3] = (byte) (extended ? EXTENDED_LENGTH - LENGTH : 0);
        return task.respond(data, task.cdb.u32(6));
    }
}
