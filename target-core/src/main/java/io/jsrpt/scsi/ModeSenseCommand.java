package io.jsrpt.scsi;

import java.io.ByteArrayOutputStream;
import java.util.Optional;

/** MODE SENSE (6) and (10), SPC-4 6.12 and 6.13. Nothing is saved. */
record ModeSenseCommand(boolean ten) implements CommandHandler {
    private static final int ALL_PAGES = 0x3F;
    private static final int ALL_SUBPAGES = 0xFF;
    private static final int CHANGEABLE = 1;
    private static final int DEFAULT = 2;
    private static final int SAVED = 3;
    private static final int WRITE_PROTECT = 0x80;
    private static final int DPOFUA = 0x10;
    private static final long MOST_BLOCKS_IN_SHORT = 0xFFFF_FFFFL;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int control = task.cdb.u8(2) >> 6;
        int page = task.cdb.u8(2) & 0x3F;
        int subpage = task.cdb.u8(3);
        if (page != ALL_PAGES && ModePages.ALL.stream().noneMatch(code -> code.page() == page)) {
            return task.invalidField(2, 5);
        }
        ByteArrayOutputStream pages = new ByteArrayOutputStream();
        for (ModePages.Code code : ModePages.ALL) {
            if ((page == ALL_PAGES || page == code.page())
                    && (subpage == ALL_SUBPAGES || subpage == code.subpage())) {
                content(code, control, task.unit).ifPresent(pages::writeBytes);
            }
        }
        boolean noSuchSubpage = page == ALL_PAGES ? subpage != 0 && subpage != ALL_SUBPAGES : pages.size() == 0;
        if (noSuchSubpage) {
            return task.invalidField(3, 7);
        }
        if (control == SAVED) {
            return task.fail(SenseCondition.SAVING_PARAMETERS_NOT_SUPPORTED);
        }
        byte[] descriptor = blockDescriptor(task);
        byte[] data = joined(header(task.unit, descriptor.length, pages.size()), descriptor, pages.toByteArray());
        return task.respond(data, ten ? task.cdb.u16(7) : task.cdb.u8(4));
    }

    private static Optional<byte[]> content(ModePages.Code code, int control, LogicalUnit unit) {
        return switch (control) {
            case CHANGEABLE -> ModePages.changeable(code);
            case DEFAULT -> ModePages.page(code, ModeParameters.defaults(unit.settings()));
            default -> ModePages.page(code, unit.modes());
        };
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
        return blockDescriptor(task.unit, ten && task.cdb.bit(1, 4));
    }

    /** The block descriptor of 8 or, in the long form, 16 bytes. */
    static byte[] blockDescriptor(LogicalUnit unit, boolean longForm) {
        if (longForm) {
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

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            whole.writeBytes(part);
        }
        return whole.toByteArray();
    }
}
