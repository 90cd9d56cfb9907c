package io.jsrpt.rdma.roce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The queue pairs of a port, by number. A number is a slot and a generation, which begins at random and moves on when
 * the slot is used again, so that a number is not reused soon. Owned by the network thread.
 */
final class QpTable {
    private static final int SLOT_BITS = 13;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int GENERATIONS = 1 << (24 - SLOT_BITS);

    private final QpEngine[] engines = new QpEngine[SLOTS];
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private final int[] generations = new int[SLOTS];
    private final int firstGeneration;
    private int next;
    private int size;

    /** For numbers that begin at this one; any number does. */
    QpTable(int seed) {
        firstGeneration = seed & GENERATIONS - 1;
    }

    /**
     * Gives out a number, never 0 or 1, for {@link #put}.
     *
     * @throws IllegalStateException when there are too many
     */
    int allocate() {
        int slot;
        if (free.size() > 64 || next == SLOTS) {
            if (free.isEmpty()) {
                throw new IllegalStateException("no room for another queue pair");
            }
            slot = free.poll();
        } else {
            slot = next++;
            generations[slot] = firstGeneration;
        }
        generations[slot] = Math.max(1, generations[slot] + 1 & GENERATIONS - 1);
        return generations[slot] << SLOT_BITS | slot;
    }

    void put(QpEngine engine) {
        engines[engine.number() & SLOTS - 1] = engine;
        size++;
    }

    /** Removes a queue pair; false when it is not there. */
    boolean remove(QpEngine engine) {
        int slot = engine.number() & SLOTS - 1;
        if (engines[slot] != engine) {
            return false;
        }
        engines[slot] = null;
        free.add(slot);
        size--;
        return true;
    }

    /** The queue pair with this number, or null: this is looked up for each packet. */
    QpEngine find(int number) {
        QpEngine engine = engines[number & SLOTS - 1];
        return engine != null && engine.number() == number ? engine : null;
    }

    Optional<QpEngine> get(int number) {
        return Optional.ofNullable(find(number));
    }

    int size() {
        return size;
    }

    /** A copy, to go through. */
    List<QpEngine> all() {
        List<QpEngine> all = new ArrayList<>();
        for (int slot = 0; slot < next; slot++) {
            if (engines[slot] != null) {
                all.add(engines[slot]);
            }
        }
        return all;
    }

    /** The earliest deadline of all; calls those that are due. */
    long runTimers(long now, Consumer<QpEngine> due) {
        long earliest = Long.MAX_VALUE;
        for (int slot = 0; slot < next; slot++) {
            QpEngine engine = engines[slot];
            if (engine != null) {
                long deadline = engine.deadline();
                if (deadline - now <= 0) {
                    due.accept(engine);
                } else {
                    earliest = Math.min(earliest, deadline);
                }
            }
        }
        return earliest;
    }
}
