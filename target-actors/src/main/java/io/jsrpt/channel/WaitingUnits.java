package io.jsrpt.channel;

/**
 * Units that came before the channel was live, or while no I/O context was free, in the order of their coming. Room for
 * one unit a receive buffer, so it never overflows. Owner only.
 */
final class WaitingUnits {
    private final int[] slots;
    private final int[] lengths;
    private int first;
    private int count;

    WaitingUnits(int capacity) {
        slots = new int[capacity];
        lengths = new int[capacity];
    }

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    void add(int slot, int length) {
        int at = (first + count) % slots.length;
        slots[at] = slot;
        lengths[at] = length;
        count++;
    }

    /** The receive buffer of the oldest unit. */
    int firstSlot() {
        return slots[first];
    }

    /** The bytes of the oldest unit. */
    int firstLength() {
        return lengths[first];
    }

    void removeFirst() {
        first = (first + 1) % slots.length;
        count--;
    }

    void clear() {
        count = 0;
    }
}
