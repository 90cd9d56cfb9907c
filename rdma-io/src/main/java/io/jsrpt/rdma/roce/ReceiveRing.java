package io.jsrpt.rdma.roce;

import java.util.concurrent.atomic.AtomicLong;

/** A receive queue, own or shared: filled by its owner, emptied by the network thread. */
final class ReceiveRing {
    private final int capacity;
    private final int mask;
    private final long[] ids;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] lkeys;
    private long posted;
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();

    ReceiveRing(int capacity) {
        this.capacity = capacity;
        int slots = Rings.slots(capacity);
        mask = slots - 1;
        ids = new long[slots];
        addresses = new long[slots];
        lengths = new int[slots];
        lkeys = new int[slots];
    }

    /** Called by the owner: adds a receive, not visible yet. False when the queue is full. */
    boolean post(long id, long address, int length, int lkey) {
        if (posted - taken.getAcquire() >= capacity) {
            return false;
        }
        int slot = (int) posted & mask;
        ids[slot] = id;
        addresses[slot] = address;
        lengths[slot] = length;
        lkeys[slot] = lkey;
        posted++;
        return true;
    }

    /** Called by the owner: makes what was posted visible. False when there was nothing new. */
    boolean publish() {
        if (posted == published.getPlain()) {
            return false;
        }
        published.set(posted);
        return true;
    }

    /** How many receives wait; called by the network thread, as are all that follow. */
    long available() {
        return published.get() - taken.getPlain();
    }

    /** The id of the oldest receive, of which there must be one; the same for the others. */
    long id() {
        return ids[(int) taken.getPlain() & mask];
    }

    long address() {
        return addresses[(int) taken.getPlain() & mask];
    }

    int length() {
        return lengths[(int) taken.getPlain() & mask];
    }

    int lkey() {
        return lkeys[(int) taken.getPlain() & mask];
    }

    /** Removes the oldest receive. */
    void take() {
        taken.setRelease(taken.getPlain() + 1);
    }
}
