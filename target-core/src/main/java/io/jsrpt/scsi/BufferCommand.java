package io.jsrpt.scsi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * READ BUFFER (SPC-4 6.16) in data and descriptor mode, and WRITE BUFFER (SPC-4 6.49) in data mode: one buffer of a
 * unit, number 0, for initiators that test the way to it. All nexuses share it.
 */
record BufferCommand(boolean write) implements CommandHandler {
    /** How long the buffer is, in bytes; any byte is an offset. */
    static final int CAPACITY = 64 << 10;

    private static final int DATA = 0x02;
    private static final int DESCRIPTOR = 0x03;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int mode = task.cdb.u8(1) & 0x1F;
        int number = task.cdb.u8(2);
        int offset = (int) (task.cdb.u32(3) >>> 8);
        int length = (int) (task.cdb.u32(6) >>> 8);
        if (mode != DATA && (write || mode != DESCRIPTOR)) {
            return task.invalidField(1, 4);
        }
        if (mode == DESCRIPTOR) {
            // of a buffer that is not there, zeros
            return task.respond(number == 0 ? new byte[] {0, CAPACITY >> 16, (byte) (CAPACITY >> 8), 0}
                : new byte[4], length);
        }
        if (number != 0) {
            return task.invalidField(2, 7);
        }
        if (offset >= CAPACITY) {
            return task.invalidField(3, 7);
        }
        if (write) {
            return length > CAPACITY - offset ? task.invalidField(6, 7) : task.dataOut(length);
        }
        byte[] data = new byte[CAPACITY - offset];
        MemorySegment.copy(task.unit.buffer(), ValueLayout.JAVA_BYTE, offset, data, 0, data.length);
        return task.respond(data, length);
    }

    @Override
    public void execute(ScsiTask task) {
        if (write) {
            MemorySegment.copy(task.buffer(), 0, task.unit.buffer(), task.cdb.u32(3) >>> 8, task.bufferLength());
            task.finish();
        } else {
            task.finishResponse();
        }
    }
}
