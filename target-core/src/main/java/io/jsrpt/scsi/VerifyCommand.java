package io.jsrpt.scsi;

import io.jsrpt.store.StoreCompletion;
import java.lang.foreign.MemorySegment;

/**
 * VERIFY (10), (12) and (16), SBC-3 5.27 to 5.29: reads the blocks, and with BYTCHK 1 compares them to the initiator's
 * data, with BYTCHK 3 each of them to the one block that the initiator sends. Newer data in a volatile cache is first
 * written to the medium.
 */
record VerifyCommand(CdbLayout layout) implements CommandHandler {
    private static final int NOTHING = 0;
    private static final int ALL = 1;
    private static final int ONE_BLOCK = 3;

    /** The BYTCHK field of VERIFY and of WRITE AND VERIFY. */
    static int byteCheck(Cdb cdb) {
        return (cdb.u8(1) >> 1) & 3;
    }

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int byteCheck = byteCheck(task.cdb);
        if (byteCheck == 2) {
            return task.invalidField(1, 2);
        }
        if (!layout.takeRange(task) || !layout.withinMaximum(task)) {
            return ScsiTask.Phase.COMPLETE;
        }
        if (task.blocks == 0) {
            return task.good();
        }
        return switch (byteCheck) {
            case ALL -> task.dataOut(task.unit.bytes(task.blocks));
            case ONE_BLOCK -> task.dataOut(task.unit.blockSize());
            default -> ScsiTask.Phase.NO_DATA;
        };
    }

    @Override
    public void execute(ScsiTask task) {
        StoreCalls.flush(task, new NextStep(task, failure(), () -> check(task, byteCheck(task.cdb))));
    }

    /** Reads the task's blocks and compares them as BYTCHK says. */
    static void check(ScsiTask task, int byteCheck) {
        MemorySegment medium = StoreCalls.scratch(
            Math.min(task.unit.bytes(task.blocks), Math.max(BlockWalk.STEP, task.unit.blockSize())));
        BlockWalk.over(task, (done, length, completion) -> {
            MemorySegment part = medium.asSlice(0, length);
            StoreCalls.read(task, task.unit.bytes(task.lba) + done, part, new StoreCompletion() {
                @Override
                public void completed() {
                    if (differs(task, byteCheck, part, done)) {
                        task.finishFailed(SenseCondition.MISCOMPARE_DURING_VERIFY_OPERATION);
                    } else {
                        completion.completed();
                    }
                }

                @Override
                public void failed(Throwable cause) {
                    completion.failed(cause);
                }
            });
        });
    }

    private static boolean differs(ScsiTask task, int byteCheck, MemorySegment part, long done) {
        MemorySegment data = task.buffer();
        if (byteCheck == NOTHING) {
            return false;
        }
        if (byteCheck == ALL) {
            return part.mismatch(data.asSlice(done, part.byteSize())) >= 0;
        }
        for (long at = 0; at < part.byteSize(); at += data.byteSize()) {
            if (part.asSlice(at, data.byteSize()).mismatch(data) >= 0) {
                return true;
            }
        }
        return false;
    }
}
