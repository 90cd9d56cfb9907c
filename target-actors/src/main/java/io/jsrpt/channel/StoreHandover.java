package io.jsrpt.channel;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Takes I/O contexts whose store operation has ended from any thread to the owner, and wakes the owner, with at most
 * one wake-up outstanding. The contexts are linked through themselves, so nothing is allocated.
 *
 * <p>When the owner has gone with operations still under way, {@link #abandon} makes whichever thread brings the last
 * of them do what is left to do.
 */
final class StoreHandover {
    private final AtomicReference<IoContext> ended = new AtomicReference<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    private final AtomicInteger reaping = new AtomicInteger();
    private final Runnable wakeUp;
    private int underWay;
    private Runnable onceIdle = () -> { };
    private volatile boolean abandoned;

    StoreHandover(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    /** Owner: an operation begins. */
    void begun() {
        underWay++;
    }

    /** Owner: an operation has ended, whichever way its context came back. */
    void settled() {
        underWay--;
    }

    /** Owner: operations that have not come back. */
    int underWay() {
        return underWay;
    }

    /** Any thread: an operation has ended. */
    void push(IoContext context) {
        IoContext last;
        do {
            last = ended.get();
            context.nextEnded = last;
        } while (!ended.compareAndSet(last, context));
        signal();
    }

    /** Any thread: there is something to poll. */
    void signal() {
        if (abandoned) {
            reap();
        } else if (!awake.getAndSet(true)) {
            wakeUp.run();
        }
    }

    /** Owner: begins a poll; what happens from here on wakes it again. */
    void awake() {
        awake.set(false);
    }

    /** Owner: those that have ended since the last call, oldest first, linked by {@code nextEnded}; may be null. */
    IoContext takeEnded() {
        if (ended.get() == null) {
            return null;
        }
        IoContext newest = ended.getAndSet(null);
        IoContext oldest = null;
        while (newest != null) {
            IoContext older = newest.nextEnded;
            newest.nextEnded = oldest;
            oldest = newest;
            newest = older;
        }
        return oldest;
    }

    /**
     * Owner, its last call: as soon as no operation is under way, {@code onceIdle} is run, by this thread or by the one
     * that brings the last operation.
     */
    void abandon(Runnable whenIdle) {
        onceIdle = whenIdle;
        abandoned = true;
        reap();
    }

    /** Only one thread at a time is inside; one that finds another there leaves its work to that one. */
    private void reap() {
        if (reaping.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (IoContext c = takeEnded(); c != null; c = c.nextEnded) {
                underWay--;
            }
            if (underWay == 0) {
                Runnable last = onceIdle;
                onceIdle = () -> { };
                last.run();
            }
            seen = reaping.addAndGet(-seen);
        } while (seen != 0);
    }
}
