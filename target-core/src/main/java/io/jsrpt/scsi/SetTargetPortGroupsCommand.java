package io.jsrpt.scsi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** SET TARGET PORT GROUPS, SPC-4 6.45: the group may be made what it is, active/optimized. */
record SetTargetPortGroupsCommand() implements CommandHandler {
    private static final int HEADER = 4;
    private static final int DESCRIPTOR = 4;
    /** There is one group, and one descriptor says all of it; more are repetitions. */
    private static final int MAX_BYTES = HEADER + 64 * DESCRIPTOR;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        long length = task.cdb.u32(6);
        if (length == 0) {
            return task.good();
        }
        if (length < HEADER || length > MAX_BYTES || (length - HEADER) % DESCRIPTOR != 0) {
            return task.fail(SenseCondition.PARAMETER_LIST_LENGTH_ERROR);
        }
        return task.dataOut(length);
    }

    @Override
    public void execute(ScsiTask task) {
        MemorySegment buffer = task.buffer();
        ByteBuffer list = buffer.asByteBuffer();
        for (int at = HEADER; at < list.capacity(); at += DESCRIPTOR) {
            if (list.get(at) != 0 || list.get(at + 1) != 0) {
                task.finishInvalidParameter(at, 3);
                return;
            }
            if ((list.getShort(at + 2) & 0xFFFF) != task.unit.settings().targetPortGroup()) {
                task.finishInvalidParameter(at + 2, 7);
                return;
            }
        }
        task.finish();
    }
}
