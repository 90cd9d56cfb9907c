package io.jsrpt.scsi;

import io.jsrpt.store.Extent;
import io.jsrpt.store.ExtentCompletion;
import io.jsrpt.store.StoreCompletion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Calls to a store, which is the embedding program's code: what it throws is a failed operation, so that it costs one
 * command and not the channel. Thrown after the store has answered, it goes on to the caller, as nothing can be said to
 * the initiator any more.
 */
final class StoreCalls {
    private StoreCalls() {
    }

    static void read(ScsiTask task, long offset, MemorySegment into, StoreCompletion completion) {
        try {
            task.unit.store().read(offset, into, completion);
        } catch (RuntimeException e) {
            thrown(task, completion, e);
        }
    }

    static void write(ScsiTask task, long offset, MemorySegment from, boolean force, StoreCompletion completion) {
        try {
            task.unit.store().write(offset, from, force, completion);
        } catch (RuntimeException e) {
            thrown(task, completion, e);
        }
    }

    static void flush(ScsiTask task, StoreCompletion completion) {
        try {
            task.unit.store().flush(completion);
        } catch (RuntimeException e) {
            thrown(task, completion, e);
        }
    }

    static void unmap(ScsiTask task, long offset, long length, boolean force, StoreCompletion completion) {
        try {
            task.unit.store().unmap(offset, length, force, completion);
        } catch (RuntimeException e) {
            thrown(task, completion, e);
        }
    }

    /** Ends the task with the parameter data of GET LBA STATUS. */
    static void extents(ScsiTask task, long offset, int most) {
        StoreCompletion failure = new NextStep(task, SenseCondition.UNRECOVERED_READ_ERROR, task::finish);
        try {
            task.unit.store().extents(offset, most, new ExtentCompletion() {
                @Override
                public void found(List<Extent> extents) {
                    task.finishResponse(GetLbaStatusCommand.data(task.unit, extents));
                }

                @Override
                public void failed(Throwable cause) {
                    failure.failed(cause);
                }
            });
        } catch (RuntimeException e) {
            thrown(task, failure, e);
        }
    }

    /** Memory for the rare command that needs a buffer of its own; freed by the collector. */
    static MemorySegment scratch(long length) {
        return Arena.ofAuto().allocate(length, 8);
    }

    private static void thrown(ScsiTask task, StoreCompletion completion, RuntimeException e) {
        if (!task.executing()) {
            throw e;
        }
        completion.failed(e);
    }
}
