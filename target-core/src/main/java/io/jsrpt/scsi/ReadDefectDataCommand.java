package io.jsrpt.scsi;

/**
 * READ DEFECT DATA (10) and (12), SBC-3 5.17 and 5.18. A store has no defects that an initiator could know of: the
 * primary and the grown list are there, as far as they are asked for, and empty, in any format.
 */
record ReadDefectDataCommand(boolean twelve) implements CommandHandler {
    /** The last of the address descriptor formats; 6 is vendor specific. */
    private static final int PHYSICAL_SECTOR = 5;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int at = twelve ? 1 : 2;
        int asked = task.cdb.u8(at);
        int format = asked & 7;
        if (format > PHYSICAL_SECTOR) {
            return task.invalidField(at, 2);
        }
        byte[] list = new byte[twelve ? 8 : 4];
        list[1] = (byte) asked;
        return task.respond(list, twelve ? task.cdb.u32(6) : task.cdb.u16(7));
    }
}
