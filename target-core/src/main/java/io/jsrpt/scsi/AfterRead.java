package io.jsrpt.scsi;

import io.jsrpt.store.StoreCompletion;

/** Does something with what was read, then tells the next one in line. */
record AfterRead(StoreCompletion next, Runnable work) implements StoreCompletion {
    @Override
    public void completed() {
        work.run();
        next.completed();
    }

    @Override
    public void failed(Throwable cause) {
        next.failed(cause);
    }
}
