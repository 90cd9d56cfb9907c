package io.jsrpt.scsi;

import io.jsrpt.store.Extent;
import java.util.List;

/**
 * GET LBA STATUS, SBC-3 5.4: from a block on, which blocks are mapped and which are deallocated, as many ranges as the
 * allocation length has room for.
 */
record GetLbaStatusCommand() implements CommandHandler {
    private static final int HEADER = 8;
    private static final int DESCRIPTOR = 16;
    private static final int MOST_DESCRIPTORS = 256;
    private static final int DEALLOCATED = 1;
    private static final long MOST_BLOCKS = 0xFFFF_FFFFL;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        if (!CdbLayout.takeRange(task, task.cdb.u64(2), 0)) {
            return ScsiTask.Phase.COMPLETE;
        }
        long allocation = task.cdb.u32(10);
        return task.respondLater(HEADER + DESCRIPTOR, HEADER + DESCRIPTOR * MOST_DESCRIPTORS, allocation);
    }

    @Override
    public void execute(ScsiTask task) {
        int most = (int) Math.max(1, (task.cdb.u32(10) - HEADER) / DESCRIPTOR);
        StoreCalls.extents(task, task.unit.bytes(task.lba), Math.min(most, MOST_DESCRIPTORS));
    }

    /** The parameter data. */
    static byte[] data(LogicalUnit unit, List<Extent> extents) {
        byte[] data = new byte[HEADER + DESCRIPTOR * extents.size()];
        BigEndian.putInt(data, 0, data.length - 4);
        for (int i = 0; i < extents.size(); i++) {
            Extent extent = extents.get(i);
            int at = HEADER + i * DESCRIPTOR;
            BigEndian.putLong(data, at, extent.offset() / unit.blockSize());
            BigEndian.putInt(data, at + 8, (int) Math.min(extent.length() / unit.blockSize(), MOST_BLOCKS));
            data[at + 12] = (byte) (extent.mapped() ? 0 : DEALLOCATED);
        }
        return data;
    }
}
