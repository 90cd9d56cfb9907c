package io.jsrpt.testing.stepping;

import akka.dispatch.Mailbox;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Collects mailboxes that have something to run. Until {@link #startStepping} it runs them on a thread, because
 * starting an actor system waits for some of its actors.
 */
final class SteppingExecutor extends AbstractExecutorService {
    private final List<Ready> ready = new ArrayList<>();
    private final ExecutorService starter = Executors.newSingleThreadExecutor();
    private boolean stepping;

    private record Ready(String actor, Runnable what) {}

    /** Sorted by the actor's path, since the order in which actors wake each other may hang on hash codes. */
    private void add(Ready next) {
        int at = ready.size();
        while (at > 0 && ready.get(at - 1).actor.compareTo(next.actor) > 0) {
            at--;
        }
        ready.add(at, next);
    }

    void startStepping() throws InterruptedException {
        synchronized (this) {
            stepping = true;
        }
        starter.shutdown();
        if (!starter.awaitTermination(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the actor system does not come to rest");
        }
    }

    synchronized int ready() {
        return ready.size();
    }

    /** The index of the first whose actor's path is one of these; -1 when there is none. */
    synchronized int first(Predicate<String> paths) {
        for (int i = 0; i < ready.size(); i++) {
            if (paths.test(ready.get(i).actor)) {
                return i;
            }
        }
        return -1;
    }

    /** Runs one of those that are ready. */
    void run(int index) {
        Runnable next;
        synchronized (this) {
            next = ready.remove(index).what;
        }
        next.run();
    }

    @Override
    public void execute(Runnable command) {
        synchronized (this) {
            if (stepping) {
                String actor = command instanceof Mailbox mailbox
                        ? mailbox.actor().self().path().toStringWithoutAddress() : "";
                add(new Ready(actor, command));
                return;
            }
        }
        starter.execute(command);
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
