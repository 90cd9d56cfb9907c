package io.jsrpt.rdma.roce;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A receive queue, own or shared: filled by its owner, emptied by the network thread. Cursors as in {@link SendRing}. */
final class ReceiveRing {
    private static final VarHandle PUBLISHED = Rings.handle(MethodHandles.lookup(), ReceiveRing.class, "published");
    private static final VarHandle TAKEN = Rings.handle(MethodHandles.lookup(), ReceiveRing.class, "taken");

    private final int capacity;
    private final int mask;
    private final long[] ids;
    private final long[] addresses;
    private final int[] lengths;
    private final int[] lkeys;
    private long posted;
    private volatile long published;
    private volatile long taken;

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
        if (posted - (long) TAKEN.getAcquire(this) >= capacity) {
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
        if (posted == (long) PUBLISHED.get(this)) {
            return false;
        }
        published = posted;
        return true;
    }

    /** How many receives wait; called by the network thread, as are all that follow. */
    long available() {
        return published - (long) TAKEN.get(this);
    }

    /** The id of the oldest receive, of which there must be one; the same for the others. */
    long id() {
        return ids[(int) (long) TAKEN.get(this) & mask];
    }

    long address() {
        return addresses[(int) (long) TAKEN.get(this) & mask];
    }

    int length() {
        return lengths[(int) (long) TAKEN.get(this) & mask];
    }

    int lkey() {
        return lkeys[(int) (long) TAKEN.get(this) & mask];
    }

    /** Removes the oldest receive. */
    void take() {
        TAKEN.setRelease(this, (long) TAKEN.get(this) + 1);
    }
}
