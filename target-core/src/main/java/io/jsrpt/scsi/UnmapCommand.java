package io.jsrpt.scsi;

import io.jsrpt.store.StoreCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * UNMAP, SBC-3 5.28: gives the space of ranges of blocks back; they read as zeros afterwards. All descriptors are
 * checked before the first is carried out. Anchored blocks are not supported: the usage data refuses ANCHOR.
 */
record UnmapCommand() implements CommandHandler {
    /** The MAXIMUM UNMAP BLOCK DESCRIPTOR COUNT of the Block Limits page. */
    static final int MOST_DESCRIPTORS = 256;

    /** The most that one command may give back, in bytes: what a store can do before an initiator loses patience. */
    private static final long MOST_BYTES = 128L << 20;
    private static final int LENGTH_AT = 7;
    private static final int HEADER = 8;
    private static final int DESCRIPTOR = 16;
    private static final ValueLayout.OfShort SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** The MAXIMUM UNMAP LBA COUNT of the Block Limits page, for all descriptors of a command together. */
    static long maximum(LogicalUnit unit) {
        return MOST_BYTES / unit.blockSize();
    }

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int length = task.cdb.u16(LENGTH_AT);
        if (length == 0) {
            return task.good();
        }
        if (length < HEADER) {
            return task.fail(SenseCondition.PARAMETER_LIST_LENGTH_ERROR);
        }
        // which blocks is not known before the list is here, so other commands are kept off all of them
        task.lba = 0;
        task.blocks = task.unit.blockCount();
        return task.dataOut(length);
    }

    @Override
    public void execute(ScsiTask task) {
        MemorySegment list = task.buffer();
        int data = Short.toUnsignedInt(list.get(SHORT, 0));
        int descriptors = Short.toUnsignedInt(list.get(SHORT, 2));
        if (HEADER + descriptors > list.byteSize()) {
            task.finishFailed(SenseCondition.PARAMETER_LIST_LENGTH_ERROR);
        } else if (data + 2 < HEADER + descriptors) {
            task.finishInvalidParameter(0, 7);
        } else if (descriptors / DESCRIPTOR > MOST_DESCRIPTORS) {
            task.finishInvalidParameter(2, 7);
        } else if (checked(task, descriptors / DESCRIPTOR)) {
            new Ranges(task, descriptors / DESCRIPTOR).completed();
        }
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.WRITE_ERROR;
    }

    /** Whether all ranges are on the medium and not too much together; if not, the task has failed. */
    private static boolean checked(ScsiTask task, int count) {
        long all = task.unit.blockCount();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long first = first(task.buffer(), i);
            long blocks = blocks(task.buffer(), i);
            boolean within = Long.compareUnsigned(first, all) < 0 && blocks <= all - first;
            if (blocks != 0 && !within) {
                long missing = Long.compareUnsigned(first, all) < 0 ? all : first;
                task.finishFailedAt(SenseCondition.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE, missing);
                return false;
            }
            sum += blocks;
            if (sum > maximum(task.unit)) {
                task.finishInvalidParameter(HEADER + i * DESCRIPTOR + 8, 7);
                return false;
            }
        }
        return true;
    }

    private static long first(MemorySegment list, int descriptor) {
        return list.get(LONG, HEADER + (long) descriptor * DESCRIPTOR);
    }

    private static long blocks(MemorySegment list, int descriptor) {
        return Integer.toUnsignedLong(list.get(INT, HEADER + (long) descriptor * DESCRIPTOR + 8));
    }

    /** One range after the other; as in {@link BlockWalk} an answer inside the call makes no deeper stack. */
    private static final class Ranges implements StoreCompletion {
        private final ScsiTask task;
        private final int count;
        private final AtomicInteger signals = new AtomicInteger();
        private int next;

        Ranges(ScsiTask task, int count) {
            this.task = task;
            this.count = count;
        }

        @Override
        public void completed() {
            if (signals.getAndIncrement() != 0) {
                return;
            }
            do {
                start();
            } while (signals.decrementAndGet() != 0);
        }

        @Override
        public void failed(Throwable cause) {
            task.finishFailed(SenseCondition.WRITE_ERROR, first(task.buffer(), next - 1), cause);
        }

        private void start() {
            while (next < count && blocks(task.buffer(), next) == 0) {
                next++;
            }
            if (next == count) {
                task.finish();
                return;
            }
            int now = next++;
            LogicalUnit unit = task.unit;
            StoreCalls.unmap(task, unit.bytes(first(task.buffer(), now)), unit.bytes(blocks(task.buffer(), now)),
                !unit.writeCache(), this);
        }
    }
}
