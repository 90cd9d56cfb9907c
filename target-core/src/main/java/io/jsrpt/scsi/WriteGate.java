package io.jsrpt.scsi;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Lets commands that read blocks and then write them (COMPARE AND WRITE, ORWRITE) be one step to all other writes of a
 * unit, whichever session they come by. Such a command has its range of blocks alone: it begins when no write to the
 * range is under way, and writes that come later wait for it.
 *
 * <p>While there is no such command a write costs an increment and a decrement of a counter that its thread hardly
 * shares, and no lock. The first such command closes the gate: writes are listed with their ranges from then on, and it
 * waits until the counters say that those which are not listed have ended. Either the write sees the closed gate after
 * its increment, or the command sees the increment after closing the gate. When the last such command has ended, the
 * gate is opened again.
 *
 * <p>Threading: called by every session's thread and by the stores' threads. What waited is executed by the thread that
 * let it go, after it has told of its own command's end.
 */
final class WriteGate {
    private static final int STRIPES = 32;
    /** Counters are a cache line apart. */
    private static final int STRIDE = 8;
    /** What {@link #enter} leaves in a task that is listed; a counter's index is not negative. */
    private static final int LISTED = -2;
    private static final int OUTSIDE = -1;

    private final AtomicLongArray unlisted = new AtomicLongArray(STRIPES * STRIDE);
    private volatile boolean closed;
    /** Listed commands that have begun. */
    private final Set<ScsiTask> inside = new LinkedHashSet<>();
    /** Listed commands that have not, in order of arrival. */
    private final Set<ScsiTask> waiting = new LinkedHashSet<>();
    /** Those of either kind that want their blocks alone. */
    private final Set<ScsiTask> exclusives = new LinkedHashSet<>();
    private final ArrayDeque<ScsiTask> admitted = new ArrayDeque<>();
    private boolean running;

    /** Where a task stands that is in no gate. */
    static int outside() {
        return OUTSIDE;
    }

    /**
     * A command that is to write its task's range asks to begin.
     *
     * @return whether it may begin now; if not, its handler's execute is called when it may
     */
    boolean enter(ScsiTask task) {
        if (!exclusive(task)) {
            int counter = (int) (Thread.currentThread().threadId() & STRIPES - 1) * STRIDE;
            unlisted.getAndIncrement(counter);
            if (!closed) {
                task.gatePlace = counter;
                return true;
            }
            unlisted.getAndDecrement(counter);
        }
        return queue(task);
    }

    /** A command that entered has ended; {@link #runAdmitted} is to follow. */
    void leave(ScsiTask task) {
        int place = task.gatePlace;
        task.gatePlace = OUTSIDE;
        if (place != LISTED) {
            unlisted.getAndDecrement(place);
            if (closed) {
                synchronized (this) {
                    admit();
                }
            }
            return;
        }
        synchronized (this) {
            inside.remove(task);
            exclusives.remove(task);
            closed = !exclusives.isEmpty();
            if (exclusive(task) || exclusiveWaits()) {
                admit();
            }
        }
    }

    /** Executes the commands that waited and need not wait any more. */
    void runAdmitted() {
        ScsiTask next = nextAdmitted();
        while (next != null) {
            try {
                next.executeAdmitted();
            } finally {
                synchronized (this) {
                    running = false;
                }
            }
            next = nextAdmitted();
        }
    }

    /** Null when there is none, or when a caller further up, or another thread, takes them already. */
    private synchronized ScsiTask nextAdmitted() {
        if (running || admitted.isEmpty()) {
            return null;
        }
        running = true;
        return admitted.remove();
    }

    private boolean queue(ScsiTask task) {
        boolean now;
        synchronized (this) {
            if (exclusive(task)) {
                exclusives.add(task);
                closed = true;
            }
            if (exclusive(task) || conflicts(task, exclusives)) {
                waiting.add(task);
            } else {
                begin(task);
            }
            if (exclusiveWaits()) {
                admit();
            }
            now = admitted.removeLastOccurrence(task);
        }
        runAdmitted();
        return now;
    }

    private boolean exclusiveWaits() {
        for (ScsiTask task : exclusives) {
            if (waiting.contains(task)) {
                return true;
            }
        }
        return false;
    }

    /** In order of arrival, but for those whose blocks are free. */
    private void admit() {
        List<ScsiTask> before = new ArrayList<>();
        List<ScsiTask> exclusivesBefore = new ArrayList<>(exclusives);
        exclusivesBefore.removeIf(waiting::contains);
        for (Iterator<ScsiTask> tasks = waiting.iterator(); tasks.hasNext();) {
            ScsiTask task = tasks.next();
            boolean waits = exclusive(task)
                ? conflicts(task, inside) || conflicts(task, before) || !drained()
                : conflicts(task, exclusivesBefore);
            if (waits) {
                before.add(task);
            } else {
                tasks.remove();
                begin(task);
            }
            if (exclusive(task)) {
                exclusivesBefore.add(task);
            }
        }
    }

    private void begin(ScsiTask task) {
        inside.add(task);
        task.gatePlace = LISTED;
        admitted.add(task);
    }

    private boolean drained() {
        for (int i = 0; i < STRIPES; i++) {
            if (unlisted.get(i * STRIDE) != 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean conflicts(ScsiTask task, Collection<ScsiTask> others) {
        for (ScsiTask other : others) {
            if (task.lba < other.lba + other.blocks && other.lba < task.lba + task.blocks) {
                return true;
            }
        }
        return false;
    }

    private static boolean exclusive(ScsiTask task) {
        return task.command.access() == Command.Access.READ_MODIFY_WRITE;
    }
}
