package io.jsrpt.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A completion that can be waited for, and that notices a second answer. */
final class Answer implements StoreCompletion {
    private final CompletableFuture<Thread> answered = new CompletableFuture<>();
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void completed() {
        count.incrementAndGet();
        answered.complete(Thread.currentThread());
    }

    @Override
    public void failed(Throwable cause) {
        count.incrementAndGet();
        answered.completeExceptionally(cause);
    }

    boolean given() {
        return answered.isDone();
    }

    /** Waits for success; the thread that answered. */
    Thread good() throws InterruptedException {
        try {
            return answered.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new AssertionError("the operation failed", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer", e);
        } finally {
            checkOnce();
        }
    }

    /** Waits for failure; its cause. */
    Throwable cause() throws InterruptedException {
        try {
            answered.get(1, TimeUnit.MINUTES);
            throw new AssertionError("the operation went well");
        } catch (ExecutionException e) {
            checkOnce();
            return e.getCause();
        } catch (TimeoutException e) {
            throw new AssertionError("no answer", e);
        }
    }

    private void checkOnce() {
        if (count.get() > 1) {
            throw new AssertionError(count.get() + " answers");
        }
    }
}
