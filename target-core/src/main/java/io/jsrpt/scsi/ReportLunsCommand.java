package io.jsrpt.scsi;

/** REPORT LUNS, SPC-4 6.33, to any LUN. */
record ReportLunsCommand() implements CommandHandler {
    private static final int HEADER = 8;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int select = task.cdb.u8(2);
        if (select > 2) {
            return task.invalidField(2, 7);
        }
        if (task.addressee == Addressee.UNIT
                && task.state.take(task.nexus(), UnitAttention.REPORTED_LUNS_CHANGED)) {
            task.unit.attentionTaken();
        }
        int[] numbers = select == 1 ? new int[0] : server.numbers();
        int count = numbers.length + (select == 0 ? 0 : 1);
        byte[] list = new byte[HEADER + 8 * count];
        BigEndian.putInt(list, 0, 8 * count);
        for (int i = 0; i < numbers.length; i++) {
            BigEndian.putLong(list, HEADER + 8 * i, Lun.encode(numbers[i]));
        }
        if (select != 0) {
            BigEndian.putLong(list, HEADER + 8 * numbers.length, Lun.REPORT_LUNS_FORM);
        }
        return task.respond(list, task.cdb.u32(6));
    }
}
