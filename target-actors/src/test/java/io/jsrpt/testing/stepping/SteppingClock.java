package io.jsrpt.testing.stepping;

import akka.actor.AbstractScheduler;
import akka.actor.Cancellable;
import akka.event.LoggingAdapter;
import com.typesafe.config.Config;
import java.time.Duration;
import java.util.Iterator;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/** A scheduler whose time the test moves; equal times are kept in the order in which they were asked for. */
public final class SteppingClock extends AbstractScheduler {
    private final TreeSet<Task> tasks = new TreeSet<>();
    private long now;
    private long lastTask;

    /** Called by the actor system. */
    public SteppingClock(Config config, LoggingAdapter log, ThreadFactory threads) {
        SteppingSystem.starting(config).clock(this);
    }

    /** Moves the time on, and hands over what has become due. */
    void pass(Duration duration) {
        long until;
        synchronized (tasks) {
            until = now + duration.toNanos();
        }
        Task due = next(until);
        while (due != null) {
            due.runnable.run();
            due = next(until);
        }
        synchronized (tasks) {
            now = until;
        }
    }

    private Task next(long until) {
        synchronized (tasks) {
            Iterator<Task> first = tasks.iterator();
            if (!first.hasNext()) {
                return null;
            }
            Task task = first.next();
            if (task.at > until) {
                return null;
            }
            first.remove();
            now = Math.max(now, task.at);
            task.done = true;
            return task;
        }
    }

    @Override
    public Cancellable scheduleOnce(FiniteDuration delay, Runnable runnable, ExecutionContext executor) {
        synchronized (tasks) {
            Task task = new Task(now + Math.max(0, delay.toNanos()), ++lastTask, runnable);
            tasks.add(task);
            return task;
        }
    }

    @Override
    @SuppressWarnings("deprecation")
    public Cancellable schedule(
            FiniteDuration initialDelay, FiniteDuration interval, Runnable runnable, ExecutionContext executor) {
        throw new UnsupportedOperationException("nothing here repeats");
    }

    @Override
    public double maxFrequency() {
        return 1000;
    }

    private final class Task implements Cancellable, Comparable<Task> {
        private final long at;
        private final long number;
        private final Runnable runnable;
        private boolean done;

        Task(long at, long number, Runnable runnable) {
            this.at = at;
            this.number = number;
            this.runnable = runnable;
        }

        @Override
        public boolean cancel() {
            synchronized (tasks) {
                boolean waited = !done && tasks.remove(this);
                done = true;
                return waited;
            }
        }

        @Override
        public boolean isCancelled() {
            synchronized (tasks) {
                return done;
            }
        }

        @Override
        public int compareTo(Task other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }
}
