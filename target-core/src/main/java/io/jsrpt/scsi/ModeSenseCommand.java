package io.jsrpt.scsi;

import java.io.ByteArrayOutputStream;

/** MODE SENSE (6) and (10), SPC-4 6.12 and 6.13. Nothing can be changed or saved: the defaults are what is current. */
record ModeSenseCommand(boolean ten) implements CommandHandler {
    private static final int CACHING = 0x08;
    private static final int CONTROL = 0x0A;
    private static final int ALL_PAGES = 0x3F;
    private static final int ALL_SUBPAGES = 0xFF;
    private static final int CHANGEABLE = 1;
    private static final int SAVED = 3;
    private static final int WRITE_PROTECT = 0x80;
    private static final int DPOFUA = 0x10;
    private static final long MOST_BLOCKS_IN_SHORT = 0xFFFF_FFFFL;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int control = task.cdb.u8(2) >> 6;
        int page = task.cdb.u8(2) & 0x3F;
        int subpage = task.cdb.u8(3);
        if (page != CACHING && page != CONTROL && page != ALL_PAGES) {
            return task.invalidField(2, 5);
        }
        if (subpage != 0 && subpage != ALL_SUBPAGES) {
            return task.invalidField(3, 7);
        }
        if (control == SAVED) {
            return task.fail(SenseCondition.SAVING_PARAMETERS_NOT_SUPPORTED);
        }
        byte[] descriptor = blockDescriptor(task);
        ByteArrayOutputStream pages = new ByteArrayOutputStream();
        if (page != CONTROL) {
            pages.writeBytes(caching(task.unit, control == CHANGEABLE));
        }
        if (page != CACHING) {
            pages.writeBytes(control(control == CHANGEABLE));
        }
        byte[] data = joined(header(task.unit, descriptor.length, pages.size()), descriptor, pages.toByteArray());
        return task.respond(data, ten ? task.cdb.u16(7) : task.cdb.u8(4));
    }

    /** SPC-4 7.5.5 and 7.5.6. */
    private byte[] header(LogicalUnit unit, int descriptorLength, int pagesLength) {
        int specific = DPOFUA | (unit.writeProtected() ? WRITE_PROTECT : 0);
        byte[] header = new byte[ten ? 8 : 4];
        int after = header.length + descriptorLength + pagesLength;
        if (ten) {
            BigEndian.putShort(header, 0, after - 2);
            header[3] = (byte) specific;
            header[4] = (byte) (descriptorLength == 16 ? 1 : 0);
            BigEndian.putShort(header, 6, descriptorLength);
        } else {
            header[0] = (byte) (after - 1);
            header[2] = (byte) specific;
            header[3] = (byte) descriptorLength;
        }
        return header;
    }

    /** SBC-3 6.4.2: long where the initiator accepts it (LLBAA), none where it wants none (DBD). */
    private byte[] blockDescriptor(ScsiTask task) {
        if (task.cdb.bit(1, 3)) {
            return new byte[0];
        }
        LogicalUnit unit = task.unit;
        if (ten && task.cdb.bit(1, 4)) {
            byte[] descriptor = new byte[16];
            BigEndian.putLong(descriptor, 0, unit.blockCount());
            BigEndian.putInt(descriptor, 12, unit.blockSize());
            return descriptor;
        }
        byte[] descriptor = new byte[8];
        BigEndian.putInt(descriptor, 0, (int) Math.min(unit.blockCount(), MOST_BLOCKS_IN_SHORT));
        BigEndian.putInt(descriptor, 4, unit.blockSize());
        return descriptor;
    }

    /** SBC-3 6.4.5. */
    private static byte[] caching(LogicalUnit unit, boolean changeable) {
        byte[] page = new byte[20];
        page[0] = CACHING;
        page[1] = 18;
        if (!changeable && unit.settings().writeCache()) {
            page[2] = 0x04;
        }
        return page;
    }

    /**
     * SPC-4 7.5.8: no log parameters are saved (GLTSD), commands may be reordered (queue algorithm modifier 1), the
     * busy timeout is unlimited.
     */
    private static byte[] control(boolean changeable) {
        byte[] page = new byte[12];
        page[0] = CONTROL;
        page[1] = 10;
        if (!changeable) {
            page[2] = 0x02;
            page[3] = 0x10;
            BigEndian.putShort(page, 8, 0xFFFF);
        }
        return page;
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }
}
