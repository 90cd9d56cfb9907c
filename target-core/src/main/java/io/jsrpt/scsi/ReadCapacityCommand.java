package io.jsrpt.scsi;

/**
 * READ CAPACITY (10) and (16), SBC-3 5.15 and 5.16, which notice that a store has grown. The obsolete PMI bit asks for
 * the last address before a substantial delay, which is the last of all; an address without that bit is refused, as in
 * SBC-2.
 */
record ReadCapacityCommand(boolean sixteen) implements CommandHandler {
    private static final int LBPME_LBPRZ = 0xC0;
    private static final long MOST_IN_TEN = 0xFFFF_FFFFL;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        long address = (sixteen ? CdbLayout.SIXTEEN : CdbLayout.TEN).address(task.cdb);
        boolean partial = task.cdb.bit(sixteen ? 14 : 8, 0);
        if (address != 0 && !partial) {
            return task.invalidField(2, 7);
        }
        task.unit.refreshCapacityFor(task.nexus());
        long last = task.unit.blockCount() - 1;
        if (sixteen) {
            byte[] data = new byte[32];
            BigEndian.putLong(data, 0, last);
            BigEndian.putInt(data, 8, task.unit.blockSize());
            data[13] = (byte) task.unit.settings().physicalBlockExponent();
            if (task.unit.thin()) {
                data[14] = (byte) LBPME_LBPRZ;
            }
            return task.respond(data, task.cdb.u32(10));
        }
        byte[] data = new byte[8];
        BigEndian.putInt(data, 0, (int) Math.min(last, MOST_IN_TEN));
        BigEndian.putInt(data, 4, task.unit.blockSize());
        return task.respond(data, data.length);
    }
}
