package io.jsrpt.scsi;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/**
 * MODE SELECT (6) and (10), SPC-4 6.10 and 6.11, by the unit's owner. Nothing is saved: the usage data refuses SP. The
 * list is taken whole or not at all; a field that cannot be changed must have its current value. The other nexuses are
 * told by a unit attention.
 */
record ModeSelectCommand(boolean ten) implements CommandHandler {
    private static final int PAGE_FORMAT = 4;
    private static final int SUBPAGE_FORMAT = 0x40;
    private static final int PAGE_CODE = 0x3F;
    /** PS, which is reserved here, and set by initiators that send back what they were given. */
    private static final int SAVEABLE = 0x80;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (!task.cdb.bit(1, PAGE_FORMAT)) {
            return task.invalidField(1, PAGE_FORMAT);
        }
        int length = ten ? task.cdb.u16(7) : task.cdb.u8(4);
        if (length == 0) {
            return task.good();
        }
        if (length < headerLength()) {
            return task.fail(SenseCondition.PARAMETER_LIST_LENGTH_ERROR);
        }
        task.lba = 0;
        return task.dataOut(length);
    }

    @Override
    public void execute(ScsiTask task) {
        byte[] list = task.buffer().toArray(ValueLayout.JAVA_BYTE);
        task.unit.owner().run(() -> select(task, list));
    }

    @Override
    public boolean byOwner() {
        return true;
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }

    private int headerLength() {
        return ten ? 8 : 4;
    }

    private void select(ScsiTask task, byte[] list) {
        LogicalUnit unit = task.unit;
        Optional<ModeParameters> parsed = parse(task, list);
        if (parsed.isEmpty()) {
            return;
        }
        ModeParameters before = unit.modes();
        ModeParameters now = parsed.get();
        if (!before.equals(now)) {
            unit.modes(now);
            unit.establishForOthers(UnitAttention.MODE_PARAMETERS_CHANGED, task.nexus());
        }
        if (before.writeCache() && !now.writeCache()) {
            // what was answered while the cache was on becomes durable before the initiator counts on its being off
            StoreCalls.flush(task, task.transferDone());
        } else {
            task.finish();
        }
    }

    /** What the list asks for; empty when the task has failed. */
    private Optional<ModeParameters> parse(ScsiTask task, byte[] list) {
        int mediumType = ten ? 2 : 1;
        if (list[mediumType] != 0) {
            task.finishInvalidParameter(mediumType, 7);
            return Optional.empty();
        }
        int descriptorLength = ten ? (list[6] & 0xFF) << 8 | (list[7] & 0xFF) : list[3] & 0xFF;
        int at = headerLength() + descriptorLength;
        if (at > list.length) {
            task.finishFailed(SenseCondition.PARAMETER_LIST_LENGTH_ERROR);
            return Optional.empty();
        }
        boolean longForm = ten && (list[4] & 1) != 0;
        if (descriptorLength != 0 && !describesUnit(task, list, descriptorLength, longForm)) {
            return Optional.empty();
        }
        ModeParameters parameters = task.unit.modes();
        while (at < list.length) {
            int length = pageLength(list, at);
            if (length < 0 || at + length > list.length) {
                task.finishFailed(SenseCondition.PARAMETER_LIST_LENGTH_ERROR);
                return Optional.empty();
            }
            ModePages.Code code = code(list, at);
            if (!agrees(task, code, list, at, length)) {
                return Optional.empty();
            }
            parameters = ModePages.changed(parameters, code, Arrays.copyOfRange(list, at, at + length));
            at += length;
        }
        return Optional.of(parameters);
    }

    /** Whether the block descriptor is the unit's own, but for a number of zero; if not, the task has failed. */
    private boolean describesUnit(ScsiTask task, byte[] list, int length, boolean longForm) {
        byte[] own = ModeSenseCommand.blockDescriptor(task.unit, longForm);
        if (length != own.length) {
            task.finishInvalidParameter(ten ? 6 : 3, 7);
            return false;
        }
        int blocks = longForm ? 8 : 4;
        byte[] asked = Arrays.copyOfRange(list, headerLength(), headerLength() + length);
        byte[] zero = new byte[blocks];
        if (!Arrays.equals(asked, 0, blocks, own, 0, blocks) && !Arrays.equals(asked, 0, blocks, zero, 0, blocks)) {
            task.finishInvalidParameter(headerLength(), 7);
            return false;
        }
        if (!Arrays.equals(asked, blocks, length, own, blocks, length)) {
            task.finishInvalidParameter(headerLength() + blocks, 7);
            return false;
        }
        return true;
    }

    private static ModePages.Code code(byte[] list, int at) {
        boolean subpage = (list[at] & SUBPAGE_FORMAT) != 0;
        return new ModePages.Code(list[at] & PAGE_CODE, subpage ? list[at + 1] & 0xFF : 0);
    }

    /** The length of the page with its header; negative when not even the header is there. */
    private static int pageLength(byte[] list, int at) {
        int header = (list[at] & SUBPAGE_FORMAT) != 0 ? 4 : 2;
        if (at + header > list.length) {
            return -1;
        }
        return header + (header == 2 ? list[at + 1] & 0xFF : (list[at + 2] & 0xFF) << 8 | (list[at + 3] & 0xFF));
    }

    /** Whether a page is one of the unit's and changes nothing that cannot be changed; else the task has failed. */
    private static boolean agrees(ScsiTask task, ModePages.Code code, byte[] list, int at, int length) {
        Optional<byte[]> own = ModePages.page(code, task.unit.modes());
        if (own.isEmpty() || own.get()[0] != (list[at] & ~SAVEABLE)) {
            task.finishInvalidParameter(at, 5);
            return false;
        }
        byte[] current = own.get();
        if (length != current.length) {
            task.finishInvalidParameter(at + (code.subpage() == 0 ? 1 : 2), 7);
            return false;
        }
        byte[] changeable = ModePages.changeable(code).orElseThrow();
        for (int i = ModePages.headerLength(code); i < length; i++) {
            int fixed = (list[at + i] ^ current[i]) & ~changeable[i] & 0xFF;
            if (fixed != 0) {
                task.finishInvalidParameter(at + i, 31 - Integer.numberOfLeadingZeros(fixed));
                return false;
            }
        }
        return true;
    }
}
