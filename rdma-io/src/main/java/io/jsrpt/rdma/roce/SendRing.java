package io.jsrpt.rdma.roce;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A send queue: work requests as arrays of fields, filled by the queue pair's owner and emptied by the network thread.
 * A cursor is a count since the queue was made; its low bits are the slot.
 */
final class SendRing {
    /** What to do; the numbers are the ordinals of {@link io.jsrpt.rdma.WorkCompletion.Opcode}. */
    static final int SEND = 0;

    static final int WRITE = 1;
    static final int READ = 2;

    private final int capacity;
    private final int mask;
    private final long[] ids;
    private final long[] addresses;
    private final long[] remotes;
    private final int[] lengths;
    private final int[] lkeys;
    private final int[] rkeys;
    private final byte[] operations;
    private final byte[] flags;
    private long posted;
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong freed = new AtomicLong();

    SendRing(int capacity) {
        this.capacity = capacity;
        int slots = Rings.slots(capacity);
        mask = slots - 1;
        ids = new long[slots];
        addresses = new long[slots];
        remotes = new long[slots];
        lengths = new int[slots];
        lkeys = new int[slots];
        rkeys = new int[slots];
        operations = new byte[slots];
        flags = new byte[slots];
    }

    /** Called by the owner: adds a work request, not visible yet. False when the queue is full. */
    boolean post(
            int operation, long id, long address, int length, int lkey, long remote, int rkey, int requestFlags) {
        if (posted - freed.getAcquire() >= capacity) {
            return false;
        }
        int slot = (int) posted & mask;
        ids[slot] = id;
        addresses[slot] = address;
        lengths[slot] = length;
        lkeys[slot] = lkey;
        remotes[slot] = remote;
        rkeys[slot] = rkey;
        operations[slot] = (byte) operation;
        flags[slot] = (byte) requestFlags;
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

    /** The cursor behind the last visible work request. */
    long tail() {
        return published.get();
    }

    /** Called by the network thread: the slots before this cursor may be used again. */
    void free(long cursor) {
        freed.setRelease(cursor);
    }

    long id(long cursor) {
        return ids[(int) cursor & mask];
    }

    int operation(long cursor) {
        return operations[(int) cursor & mask];
    }

    long address(long cursor) {
        return addresses[(int) cursor & mask];
    }

    int length(long cursor) {
        return lengths[(int) cursor & mask];
    }

    int lkey(long cursor) {
        return lkeys[(int) cursor & mask];
    }

    long remote(long cursor) {
        return remotes[(int) cursor & mask];
    }

    int rkey(long cursor) {
        return rkeys[(int) cursor & mask];
    }

    int flags(long cursor) {
        return flags[(int) cursor & mask];
    }

    int slot(long cursor) {
        return (int) cursor & mask;
    }

    int slots() {
        return mask + 1;
    }
}
