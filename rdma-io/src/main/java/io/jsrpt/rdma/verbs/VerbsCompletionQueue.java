package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A completion queue. Completions are fetched from the library some at a time and given out one at a time. They name a
 * queue pair by its number and a work request by its number in the queue pair's {@link WorkRing}; what does not fit an
 * outstanding request, such as what a closed queue pair has left behind, is dropped.
 */
final class VerbsCompletionQueue implements CompletionQueue {
    private static final int BATCH = 16;

    private final VerbsDevice device;
    private final long pointer;
    private final long cookie;
    private final Runnable notification;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment batch;
    private final Gate gate = new Gate();
    private final AtomicBoolean armed = new AtomicBoolean();
    /** Those that complete here; few, and the last one found is tried first. Inside the gate. */
    private final List<VerbsQueuePair> queuePairs = new ArrayList<>();

    private int next;
    private int fetched;

    private VerbsCompletionQueue(VerbsDevice device, long pointer, long cookie, Runnable notification) {
        this.device = device;
        this.pointer = pointer;
        this.cookie = cookie;
        this.notification = notification;
        batch = arena.allocate(BATCH * Layouts.Wc.BYTES, 64);
    }

    /**
     * Creates one.
     *
     * @param cookie what its events carry
     */
    static VerbsCompletionQueue create(
            VerbsDevice device, int capacity, long cookie, long channel, Runnable notification) throws RdmaException {
        if (capacity < 1) {
            throw new IllegalArgumentException("a completion queue needs a capacity, not " + capacity);
        }
        long pointer = Ibverbs.createCq(device.context().pointer(), capacity, cookie, channel);
        if (pointer == 0) {
            throw Errno.failed(
                device.name() + ": a completion queue of " + capacity + ": ibv_create_cq", Errno.last());
        }
        return new VerbsCompletionQueue(device, pointer, cookie, notification);
    }

    VerbsDevice device() {
        return device;
    }

    long pointer() {
        return pointer;
    }

    long cookie() {
        return cookie;
    }

    /** A queue pair completes here from now on; false when this is closed. */
    boolean attach(VerbsQueuePair queuePair) {
        if (!gate.enter()) {
            return false;
        }
        try {
            if (!queuePairs.contains(queuePair)) {
                queuePairs.add(queuePair);
            }
            return true;
        } finally {
            gate.leave();
        }
    }

    /** A queue pair has been closed; what it left is dropped. */
    void detach(VerbsQueuePair queuePair) {
        if (gate.enter()) {
            try {
                queuePairs.remove(queuePair);
            } finally {
                gate.leave();
            }
        }
    }

    @Override
    public boolean poll(WorkCompletion into) {
        if (!gate.enter()) {
            return false;
        }
        try {
            while (true) {
                if (next == fetched && !fetch()) {
                    return takeRefused(into);
                }
                long at = next++ * Layouts.Wc.BYTES;
                if (deliver(at, into)) {
                    return true;
                }
            }
        } finally {
            gate.leave();
        }
    }

    private boolean fetch() {
        next = 0;
        fetched = 0;
        int came = Ibverbs.pollCq(device.context().pollCq(), pointer, BATCH, batch.address());
        if (came < 0) {
            throw new IllegalStateException(device.name() + ": the completion queue has failed: ibv_poll_cq " + came);
        }
        fetched = came;
        return came > 0;
    }

    private boolean deliver(long at, WorkCompletion into) {
        int number = batch.get(ValueLayout.JAVA_INT, at + Layouts.Wc.QP_NUM);
        VerbsQueuePair qp = queuePair(number);
        if (qp == null) {
            return false;
        }
        long id = batch.get(ValueLayout.JAVA_LONG, at + Layouts.Wc.WR_ID);
        int status = batch.get(ValueLayout.JAVA_INT, at + Layouts.Wc.STATUS);
        int bytes = batch.get(ValueLayout.JAVA_INT, at + Layouts.Wc.BYTE_LEN);
        return qp.completed(id, status, bytes, into);
    }

    private VerbsQueuePair queuePair(int number) {
        for (int i = 0; i < queuePairs.size(); i++) {
            VerbsQueuePair candidate = queuePairs.get(i);
            if (candidate.number() == number) {
                if (i > 0) {
                    queuePairs.set(i, queuePairs.get(0));
                    queuePairs.set(0, candidate);
                }
                return candidate;
            }
        }
        return null;
    }

    /** What the library has not taken completes once the rest has. */
    private boolean takeRefused(WorkCompletion into) {
        for (int i = 0; i < queuePairs.size(); i++) {
            VerbsQueuePair qp = queuePairs.get(i);
            if ((qp.sendQueue() == this && refused(qp.sends(), qp, into))
                || (qp.receiveQueue() == this && refused(qp.receives(), qp, into))) {
                return true;
            }
        }
        return false;
    }

    private static boolean refused(WorkRing ring, VerbsQueuePair qp, WorkCompletion into) {
        long sequence = ring.nextRefused();
        if (sequence < 0) {
            return false;
        }
        Status status =
            ring.firstRefused(sequence) ? Status.LOCAL_QP_OPERATION_ERROR : Status.WORK_REQUEST_FLUSHED;
        Opcode opcode = ring.opcode(sequence);
        into.set(ring.id(sequence), status, opcode, 0, qp.number());
        ring.completeThrough(sequence);
        return true;
    }

    @Override
    public void arm() {
        if (!gate.enter()) {
            return;
        }
        try {
            armed.set(true);
            int failed = Ibverbs.reqNotifyCq(device.context().reqNotifyCq(), pointer);
            if (failed != 0) {
                throw new IllegalStateException(device.name() + ": ibv_req_notify_cq: " + Errno.text(failed));
            }
        } finally {
            gate.leave();
        }
    }

    /** Called by the completion thread: an event of this queue has come, or something that is like one. */
    void signalled() {
        if (!gate.closed() && armed.getAndSet(false)) {
            notification.run();
        }
    }

    @Override
    public void close() {
        if (gate.close()) {
            device.closed(this);
            int failed = Ibverbs.destroyCq(pointer);
            arena.close();
            if (failed != 0) {
                throw new IllegalStateException(device.name() + ": ibv_destroy_cq: " + Errno.text(failed));
            }
        }
    }
}
