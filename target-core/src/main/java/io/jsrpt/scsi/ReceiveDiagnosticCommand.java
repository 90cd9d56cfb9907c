package io.jsrpt.scsi;

/** RECEIVE DIAGNOSTIC RESULTS, SPC-4 6.29: the only page is the list of pages, which has only itself. */
record ReceiveDiagnosticCommand() implements CommandHandler {
    private static final int PAGE_CODE_VALID = 0;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (task.cdb.bit(1, PAGE_CODE_VALID) && task.cdb.u8(2) != 0) {
            return task.invalidField(2, 7);
        }
        return task.respond(new byte[] {0, 0, 0, 1, 0}, task.cdb.u16(3));
    }
}
