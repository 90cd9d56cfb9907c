package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.SharedReceiveQueue;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A shared receive queue. Its receives complete in any order and on several completion queues, so each has a slot,
 * whose number is what the library gets as the receive's id.
 */
final class VerbsSharedReceiveQueue implements SharedReceiveQueue {
    /** Above the slot's number: marks it as one of a shared receive queue, see {@link VerbsQueuePair}. */
    private static final long TAG = 0xc000L << 48;

    private final VerbsDevice device;
    private final VerbsProtectionDomain pd;
    private final long pointer;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment request;
    private final MemorySegment bad;
    private final long[] ids;
    private final boolean[] outstanding;
    private final int[] free;
    /** How many of {@link #free} count. */
    private int freeSlots;

    /** For the slots and the native object: the poster and the pollers are different threads. */
    private final Gate gate = new Gate();

    private VerbsSharedReceiveQueue(VerbsProtectionDomain pd, long pointer, int capacity) {
        this.device = pd.device();
        this.pd = pd;
        this.pointer = pointer;
        request = arena.allocate(Layouts.RecvWr.BYTES + Layouts.Sge.BYTES, 8);
        bad = arena.allocate(8, 8);
        ids = new long[capacity];
        outstanding = new boolean[capacity];
        free = new int[capacity];
        for (int i = 0; i < capacity; i++) {
            free[i] = i;
        }
        freeSlots = capacity;
    }

    static VerbsSharedReceiveQueue create(VerbsProtectionDomain pd, int capacity) throws RdmaException {
        if (capacity < 1) {
            throw new IllegalArgumentException("a shared receive queue needs a capacity, not " + capacity);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(Layouts.SrqInitAttr.BYTES, 8);
            attr.set(ValueLayout.JAVA_INT, Layouts.SrqInitAttr.MAX_WR, capacity);
            attr.set(ValueLayout.JAVA_INT, Layouts.SrqInitAttr.MAX_SGE, 1);
            long pointer = Ibverbs.createSrq(pd.pointer(), attr);
            if (pointer == 0) {
                throw Errno.failed(pd.device().name() + ": a shared receive queue of " + capacity + ": ibv_create_srq",
                    Errno.last());
            }
            return new VerbsSharedReceiveQueue(pd, pointer, capacity);
        }
    }

    long pointer() {
        return pointer;
    }

    VerbsProtectionDomain pd() {
        return pd;
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int lkey) throws RdmaException {
        if (length < 0) {
            throw new IllegalArgumentException("a length cannot be " + length);
        }
        if (!gate.enter()) {
            throw new RdmaException("the shared receive queue is closed");
        }
        try {
            if (freeSlots == 0) {
                throw new RdmaException("the shared receive queue is full");
            }
            int slot = free[freeSlots - 1];
            request.set(ValueLayout.JAVA_LONG, Layouts.RecvWr.WR_ID, TAG | slot);
            request.set(ValueLayout.JAVA_LONG, Layouts.RecvWr.SG_LIST, request.address() + Layouts.RecvWr.BYTES);
            request.set(ValueLayout.JAVA_INT, Layouts.RecvWr.NUM_SGE, length == 0 ? 0 : 1);
            request.set(ValueLayout.JAVA_LONG, Layouts.RecvWr.BYTES + Layouts.Sge.ADDR, address);
            request.set(ValueLayout.JAVA_INT, Layouts.RecvWr.BYTES + Layouts.Sge.LENGTH, length);
            request.set(ValueLayout.JAVA_INT, Layouts.RecvWr.BYTES + Layouts.Sge.LKEY, lkey);
            // before the call: the completion may be polled by another thread, which waits at the gate
            ids[slot] = workRequestId;
            int failed = Ibverbs.post(
                device.context().postSharedReceive(), pointer, request.address(), bad.address());
            if (failed != 0) {
                throw Errno.failed(device.name() + ": ibv_post_srq_recv", Math.abs(failed));
            }
            outstanding[slot] = true;
            freeSlots--;
        } finally {
            gate.leave();
        }
    }

    /** Called by the one who polls a completion queue: fills in a completion; false when it is of no receive here. */
    boolean completed(long workRequestId, int status, int bytes, int queuePairNumber, WorkCompletion into) {
        long slot = workRequestId & ~TAG;
        if (slot < 0 || slot >= ids.length || !gate.enter()) {
            return false;
        }
        try {
            int at = (int) slot;
            if (!outstanding[at]) {
                return false;
            }
            outstanding[at] = false;
            free[freeSlots++] = at;
            into.set(ids[at], Statuses.of(status), Opcode.RECEIVE, status == Statuses.SUCCESS ? bytes : 0,
                queuePairNumber);
            return true;
        } finally {
            gate.leave();
        }
    }

    @Override
    public void close() {
        if (gate.close()) {
            device.closed(this);
            int failed = Ibverbs.destroySrq(pointer);
            arena.close();
            if (failed != 0) {
                throw new IllegalStateException(device.name() + ": ibv_destroy_srq: " + Errno.text(failed));
            }
        }
    }
}
