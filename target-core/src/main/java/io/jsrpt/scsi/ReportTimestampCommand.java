package io.jsrpt.scsi;

/** REPORT TIMESTAMP, SPC-4 6.38: milliseconds since 1970, from the host's clock. */
record ReportTimestampCommand() implements CommandHandler {
    private static final int LENGTH = 12;
    /** Initialized by a method outside SPC-4 (TIMESTAMP ORIGIN, table 305). */
    private static final int BY_OTHER_MEANS = 3;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        byte[] data = new byte[LENGTH];
        BigEndian.putLong(data, 2, System.currentTimeMillis() << 16 >>> 16);
        BigEndian.putShort(data, 0, LENGTH - 2);
        data[2] = BY_OTHER_MEANS;
        return task.respond(data, task.cdb.u32(6));
    }
}
