package io.jsrpt.scsi;

import io.jsrpt.store.StoreCompletion;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Works through a range in steps, one after the other, so that a long range needs a bounded buffer. A store that
 * answers inside the call makes a loop here, not a deeper stack.
 */
final class BlockWalk implements StoreCompletion {
    /** How many bytes a step takes at most, unless a block is longer. */
    static final long STEP = 256 << 10;

    private final ScsiTask task;
    private final SenseCondition failure;
    private final long total;
    private final long longest;
    private final Step step;
    private final Runnable end;
    private final AtomicInteger signals = new AtomicInteger();
    private long done;
    private long length;

    private BlockWalk(ScsiTask task, SenseCondition failure, long longest, Step step, Runnable end) {
        this.task = task;
        this.failure = failure;
        this.total = task.unit.bytes(task.blocks);
        this.longest = longest;
        this.step = step;
        this.end = end;
    }

    /** One step: starts what is to be done with a part of the range, and answers the completion when it is done. */
    interface Step {
        /**
         * Starts.
         *
         * @param done the offset of the part in the range, in bytes
         * @param length of the part, in bytes
         */
        void start(long done, long length, StoreCompletion completion);
    }

    /**
     * Walks over the task's blocks; a step that fails ends the task at the step's first block.
     *
     * @param longest the most bytes of a step, a multiple of the block length
     * @param end what follows the last step
     */
    static void over(ScsiTask task, SenseCondition failure, long longest, Step step, Runnable end) {
        new BlockWalk(task, failure, longest, step, end).completed();
    }

    /** As above with steps of {@link #STEP}, and the command is done after the last of them. */
    static void over(ScsiTask task, Step step) {
        long longest = Math.max(STEP, task.unit.blockSize());
        over(task, task.command.handler().failure(), longest, step, task::finish);
    }

    /** Begins the first step, or the one after a step that went well. */
    @Override
    public void completed() {
        if (signals.getAndIncrement() != 0) {
            return;
        }
        do {
            next();
        } while (signals.decrementAndGet() != 0);
    }

    @Override
    public void failed(Throwable cause) {
        task.finishFailed(failure, task.lba + done / task.unit.blockSize(), cause);
    }

    private void next() {
        done += length;
        if (done == total) {
            end.run();
            return;
        }
        length = Math.min(total - done, longest);
        step.start(done, length, this);
    }
}
