package io.jsrpt.rdma.verbs;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a native object from being freed while a call uses it. Users enter and leave, one at a time; from the moment of
 * the close nobody enters, and the one who closes waits for the user inside. Calls inside are short and never wait for
 * a peer. Not reentrant.
 */
final class Gate {
    private static final long PAUSE_NANOS = 20_000;

    private static final int FREE = 0;
    private static final int IN_USE = 1;
    private static final int CLOSED = 2;

    private final AtomicInteger state = new AtomicInteger(FREE);

    /** False when it is closed; otherwise {@link #leave} must follow. */
    boolean enter() {
        for (int tries = 0; !state.compareAndSet(FREE, IN_USE); tries++) {
            if (closed()) {
                return false;
            }
            pause(tries);
        }
        return true;
    }

    void leave() {
        state.addAndGet(-IN_USE);
    }

    /** Closes it for good, and returns once nobody is inside; false when it was closed before. */
    boolean close() {
        if ((state.getAndUpdate(now -> now | CLOSED) & CLOSED) != 0) {
            return false;
        }
        for (int tries = 0; state.get() != CLOSED; tries++) {
            pause(tries);
        }
        return true;
    }

    boolean closed() {
        return (state.get() & CLOSED) != 0;
    }

    private static void pause(int tries) {
        if (tries < 100) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
