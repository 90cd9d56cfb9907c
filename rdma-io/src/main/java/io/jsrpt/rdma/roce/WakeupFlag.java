package io.jsrpt.rdma.roce;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets other threads end the owner's wait, and costs a system call only when the owner does wait. The owner says that
 * it will wait before it looks for a request, another says its request before it looks for a waiting owner: one of the
 * two sees the other.
 */
final class WakeupFlag {
    private final AtomicBoolean requested = new AtomicBoolean();
    private volatile boolean waiting;

    /** From any thread. Returns whether the caller must interrupt a wait. */
    boolean request() {
        return !requested.getAndSet(true) && waiting;
    }

    /** Owner only, before a wait. Returns false when there is a request, now taken, and no wait may follow. */
    boolean beginWait() {
        waiting = true;
        if (requested.get()) {
            endWait();
            return false;
        }
        return true;
    }

    /** Owner only, after a wait; takes the request, if there was one. */
    void endWait() {
        waiting = false;
        requested.set(false);
    }
}
