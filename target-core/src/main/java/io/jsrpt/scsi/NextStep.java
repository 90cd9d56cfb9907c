package io.jsrpt.scsi;

import io.jsrpt.store.StoreCompletion;

/** One store operation of several that make a command: goes on, or ends the task with the failure. */
record NextStep(ScsiTask task, SenseCondition failure, Runnable next) implements StoreCompletion {
    @Override
    public void completed() {
        next.run();
    }

    @Override
    public void failed(Throwable cause) {
        task.finishFailed(failure, cause);
    }
}
