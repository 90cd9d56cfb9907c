package io.jsrpt.rdma.roce;

/** What the rings between users and the network thread share. */
final class Rings {
    /** The most entries of a ring. */
    static final int MAX_CAPACITY = 1 << 20;

    private Rings() {}

    /** The power of two that holds this many entries. */
    static int slots(int capacity) {
        if (capacity < 0 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("capacity is not in 0.." + MAX_CAPACITY + ": " + capacity);
        }
        return capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    }
}
