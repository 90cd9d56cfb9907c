package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.WorkCompletion.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One queue's work requests as the library reads them, each with one scatter-gather entry, in slots that are used again
 * in a circle; posting allocates nothing. What the library gets as a request's id is its number in this queue, under a
 * tag of this ring: so a completion finds the consumer's id and the opcode, which a failed completion does not carry,
 * and a completion of an earlier queue pair with the same number is known as such.
 *
 * <p>One thread posts, one takes completions.
 */
final class WorkRing {
    /** What is left of an id for the number of a request. */
    private static final long SEQUENCE = (1L << 48) - 1;

    private static final Opcode[] OPCODES = Opcode.values();
    private static final long NONE = Long.MAX_VALUE;

    private final int capacity;
    private final int mask;
    private final long tag;
    private final long requestBytes;
    private final long stride;
    private final MemorySegment memory;
    private final long[] ids;
    private final byte[] opcodes;
    private final AtomicLong posted = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    /** The first request that the library did not take. */
    private final AtomicLong refused = new AtomicLong(NONE);
    /** The poster's: how many were handed to the library. */
    private long handed;

    /**
     * Makes an empty one.
     *
     * @param tag what tells its ids from others', 15 bits
     * @param requestBytes the size of {@code ibv_send_wr} or {@code ibv_recv_wr}, which begin alike
     */
    WorkRing(Arena arena, int capacity, int tag, long requestBytes) {
        this.capacity = capacity;
        this.tag = (long) tag << 48;
        this.requestBytes = requestBytes;
        int slots = Integer.highestOneBit(Math.max(1, capacity) * 2 - 1);
        mask = slots - 1;
        stride = requestBytes + Layouts.Sge.BYTES;
        memory = arena.allocate(slots * stride, 64);
        ids = new long[slots];
        opcodes = new byte[slots];
    }

    /**
     * Adds a request to those not yet handed over.
     *
     * @return where its structure is in {@link #memory}, for what only some requests have; below 0 when it is full
     */
    long add(long id, Opcode opcode, long address, int length, int lkey) {
        long sequence = posted.getPlain();
        if (sequence - completed.getAcquire() >= capacity) {
            return -1;
        }
        int slot = (int) sequence & mask;
        ids[slot] = id;
        opcodes[slot] = (byte) opcode.ordinal();
        long at = slot * stride;
        long entry = at + requestBytes;
        memory.set(ValueLayout.JAVA_LONG, at + Layouts.SendWr.WR_ID, tag | (sequence & SEQUENCE));
        memory.set(ValueLayout.JAVA_LONG, at + Layouts.SendWr.NEXT, 0);
        memory.set(ValueLayout.JAVA_LONG, at + Layouts.SendWr.SG_LIST, memory.address() + entry);
        memory.set(ValueLayout.JAVA_INT, at + Layouts.SendWr.NUM_SGE, length == 0 ? 0 : 1);
        memory.set(ValueLayout.JAVA_LONG, entry + Layouts.Sge.ADDR, address);
        memory.set(ValueLayout.JAVA_INT, entry + Layouts.Sge.LENGTH, length);
        memory.set(ValueLayout.JAVA_INT, entry + Layouts.Sge.LKEY, lkey);
        if (sequence != handed) {
            long before = ((int) (sequence - 1) & mask) * stride;
            memory.set(ValueLayout.JAVA_LONG, before + Layouts.SendWr.NEXT, memory.address() + at);
        }
        posted.setRelease(sequence + 1);
        return at;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Whether there are requests to hand over. */
    boolean pending() {
        return posted.getPlain() != handed;
    }

    /** The address of the first request to hand over; the others follow it in their list. */
    long first() {
        return memory.address() + ((int) handed & mask) * stride;
    }

    /** All were handed over. */
    void handedOver() {
        handed = posted.getPlain();
    }

    /**
     * The library took only those before this one; the rest will be completed by {@link #takeRefused}.
     *
     * @param address of the first that it did not take
     */
    void refusedAt(long address) {
        long slot = (address - memory.address()) / stride;
        refused.set(handed + ((slot - handed) & mask));
        handedOver();
    }

    /** Whether the library has refused a request, so that none is handed over any more. */
    boolean refusing() {
        return refused.get() != NONE;
    }

    /**
     * The next request that the library did not take; {@link #completeThrough} follows.
     *
     * @return its number, or below 0 when there is none
     */
    long nextRefused() {
        long first = refused.get();
        long next = Math.max(first, completed.getPlain());
        return first == NONE || next >= posted.getAcquire() ? -1 : next;
    }

    /** Whether this request was the first that the library did not take. */
    boolean firstRefused(long sequence) {
        return refused.get() == sequence;
    }

    /**
     * Finds the outstanding request that a completion is of; {@link #completeThrough} follows.
     *
     * @param workRequestId as the library gives it back
     * @return its number, or below 0 when it is none of the outstanding ones
     */
    long find(long workRequestId) {
        long done = completed.getPlain();
        long sequence = done + ((workRequestId - done) & SEQUENCE);
        return (workRequestId & ~SEQUENCE) != tag || sequence >= posted.getAcquire() ? -1 : sequence;
    }

    /** The consumer's id of an outstanding request. */
    long id(long sequence) {
        return ids[(int) sequence & mask];
    }

    /** What an outstanding request is. */
    Opcode opcode(long sequence) {
        return OPCODES[opcodes[(int) sequence & mask]];
    }

    /** A request has completed, and so have all before it; their slots are free. */
    void completeThrough(long sequence) {
        completed.setRelease(sequence + 1);
    }
}
