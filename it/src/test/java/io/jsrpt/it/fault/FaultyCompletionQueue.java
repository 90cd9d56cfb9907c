package io.jsrpt.it.fault;

import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.WorkCompletion;
import java.util.concurrent.atomic.AtomicBoolean;

/** A completion queue whose completions can be late, or bring an error. */
final class FaultyCompletionQueue implements CompletionQueue {
    private final CompletionQueue inner;
    private final Faults faults;
    private final Runnable notification;
    private final AtomicBoolean armedWhileHolding = new AtomicBoolean();

    FaultyCompletionQueue(CompletionQueue inner, Faults faults, Runnable notification) {
        this.inner = inner;
        this.faults = faults;
        this.notification = notification;
        faults.opened(this);
    }

    CompletionQueue inner() {
        return inner;
    }

    @Override
    public boolean poll(WorkCompletion into) {
        if (faults.isHolding() || !inner.poll(into)) {
            return false;
        }
        faults.pass(into);
        return true;
    }

    /** While completions are held, a notification would find nothing: it comes with their release. */
    @Override
    public void arm() {
        armedWhileHolding.set(true);
        if (!faults.isHolding() && armedWhileHolding.getAndSet(false)) {
            inner.arm();
        }
    }

    void released() {
        if (armedWhileHolding.getAndSet(false)) {
            notification.run();
        }
    }

    @Override
    public void close() {
        faults.closed(this);
        inner.close();
    }
}
