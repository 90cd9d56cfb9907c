package io.jsrpt.scsi;

/** REPORT TARGET PORT GROUPS, SPC-4 6.37: one group with one port, active/optimized and nothing else. */
record ReportTargetPortGroupsCommand() implements CommandHandler {
    /** The only access state that is supported (AO_SUP). */
    private static final int ACTIVE_OPTIMIZED_SUPPORTED = 0x01;
    private static final int EXTENDED_FORMAT = 1;
    private static final int GROUP_WITH_PORT = 12;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int format = task.cdb.u8(1) >> 5;
        if (format > EXTENDED_FORMAT) {
            return task.invalidField(1, 7);
        }
        int header = format == EXTENDED_FORMAT ? 8 : 4;
        byte[] data = new byte[header + GROUP_WITH_PORT];
        BigEndian.putInt(data, 0, data.length - 4);
        if (format == EXTENDED_FORMAT) {
            data[4] = (byte) (format << 4);
        }
        LogicalUnitSettings settings = task.unit.settings();
        data[header + 1] = ACTIVE_OPTIMIZED_SUPPORTED;
        BigEndian.putShort(data, header + 2, settings.targetPortGroup());
        data[header + 7] = 1;
        BigEndian.putShort(data, header + 10, settings.relativeTargetPort());
        return task.respond(data, task.cdb.u32(6));
    }
}
