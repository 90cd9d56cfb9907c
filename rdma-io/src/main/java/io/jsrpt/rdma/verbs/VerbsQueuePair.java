package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue pair. Posts build a list of work requests that the doorbell hands to the library in one call for each queue.
 * What the library then does not take completes with an error, as if the device had refused it.
 */
final class VerbsQueuePair implements QueuePair {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsQueuePair.class);

    /** The top bit of a tag. */
    private static final int RECEIVE = 1 << 15;

    private static final int TAGS = 1 << 14;
    /** The tag of a request of a shared receive queue: the second bit from the top. */
    private static final int SHARED = 1 << 14;

    private final VerbsDevice device;
    private final VerbsProtectionDomain pd;
    private final VerbsCompletionQueue sendQueue;
    private final VerbsCompletionQueue receiveQueue;
    private final Optional<VerbsSharedReceiveQueue> shared;
    private final long pointer;
    private final int number;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment bad;
    private final MemorySegment errorState;
    private final WorkRing sends;
    private final WorkRing receives;
    private final Gate gate = new Gate();
    private volatile QpState state = QpState.RESET;

    private VerbsQueuePair(
            VerbsProtectionDomain pd,
            VerbsCompletionQueue sendQueue,
            VerbsCompletionQueue receiveQueue,
            Optional<VerbsSharedReceiveQueue> shared,
            QueuePairSpec spec,
            long pointer) {
        this.device = pd.device();
        this.pd = pd;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.shared = shared;
        this.pointer = pointer;
        number = Raw.getInt(pointer + Layouts.Qp.QP_NUM);
        bad = arena.allocate(8, 8);
        errorState = arena.allocate(Layouts.QpAttr.BYTES, 8);
        errorState.set(ValueLayout.JAVA_INT, Layouts.QpAttr.QP_STATE, Ibverbs.QPS_ERR);
        int tag = ThreadLocalRandom.current().nextInt(TAGS);
        sends = new WorkRing(arena, spec.maxSendWorkRequests(), tag, Layouts.SendWr.BYTES);
        receives = new WorkRing(arena, spec.maxReceiveWorkRequests(), tag | RECEIVE, Layouts.RecvWr.BYTES);
    }

    /** Creates one, in the state RESET. */
    static VerbsQueuePair create(
            VerbsProtectionDomain pd,
            VerbsCompletionQueue sendQueue,
            VerbsCompletionQueue receiveQueue,
            Optional<VerbsSharedReceiveQueue> shared,
            QueuePairSpec spec) throws RdmaException {
        long pointer;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(Layouts.QpInitAttr.BYTES, 8);
            attr.set(ValueLayout.JAVA_LONG, Layouts.QpInitAttr.SEND_CQ, sendQueue.pointer());
            attr.set(ValueLayout.JAVA_LONG, Layouts.QpInitAttr.RECV_CQ, receiveQueue.pointer());
            shared.ifPresent(srq -> attr.set(ValueLayout.JAVA_LONG, Layouts.QpInitAttr.SRQ, srq.pointer()));
            attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.MAX_SEND_WR, Math.max(1, spec.maxSendWorkRequests()));
            attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.MAX_RECV_WR, spec.maxReceiveWorkRequests());
            attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.MAX_SEND_SGE, 1);
            attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.MAX_RECV_SGE, shared.isPresent() ? 0 : 1);
            attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.QP_TYPE, Ibverbs.QPT_RC);
            pointer = Ibverbs.createQp(pd.pointer(), attr);
        }
        if (pointer == 0) {
            throw Errno.failed(pd.device().name() + ": ibv_create_qp with " + spec.maxSendWorkRequests() + " sends and "
                + spec.maxReceiveWorkRequests() + " receives", Errno.last());
        }
        return new VerbsQueuePair(pd, sendQueue, receiveQueue, shared, spec, pointer);
    }

    long pointer() {
        return pointer;
    }

    /** Whether a completion queue or shared receive queue is one of its own. */
    boolean uses(long queue) {
        return sendQueue.pointer() == queue
            || receiveQueue.pointer() == queue
            || shared.map(VerbsSharedReceiveQueue::pointer).orElse(0L) == queue;
    }

    WorkRing sends() {
        return sends;
    }

    WorkRing receives() {
        return receives;
    }

    VerbsCompletionQueue sendQueue() {
        return sendQueue;
    }

    VerbsCompletionQueue receiveQueue() {
        return receiveQueue;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QpState state() {
        return state;
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int lkey) throws RdmaException {
        checkLength(length);
        if (shared.isPresent()) {
            throw new RdmaException("the queue pair receives through a shared receive queue");
        }
        enter();
        try {
            if (receives.add(workRequestId, Opcode.RECEIVE, address, length, lkey) < 0) {
                throw new RdmaException("the receive queue is full");
            }
        } finally {
            gate.leave();
        }
    }

    @Override
    public void postSend(long workRequestId, long address, int length, int lkey, int flags) throws RdmaException {
        post(Opcode.SEND, Ibverbs.WR_SEND, workRequestId, address, length, lkey, 0, 0, flags);
    }

    @Override
    public void postRdmaWrite(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        post(Opcode.RDMA_WRITE, Ibverbs.WR_RDMA_WRITE, workRequestId, address, length, lkey, remoteAddress, rkey,
            flags);
    }

    @Override
    public void postRdmaRead(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        post(Opcode.RDMA_READ, Ibverbs.WR_RDMA_READ, workRequestId, address, length, lkey, remoteAddress, rkey, flags);
    }

    private void post(Opcode opcode, int operation, long id, long address, int length, int lkey, long remoteAddress,
            int rkey, int flags) throws RdmaException {
        checkLength(length);
        QpState now = state;
        if (now != QpState.RTS && now != QpState.ERROR) {
            throw new RdmaException("the queue pair is not connected, its state is " + now);
        }
        int sendFlags = ((flags & SIGNALED) != 0 ? Ibverbs.SEND_SIGNALED : 0)
            | ((flags & SOLICITED) != 0 ? Ibverbs.SEND_SOLICITED : 0);
        enter();
        try {
            long at = sends.add(id, opcode, address, length, lkey);
            if (at < 0) {
                throw new RdmaException("the send queue is full");
            }
            MemorySegment request = sends.memory();
            request.set(ValueLayout.JAVA_INT, at + Layouts.SendWr.OPCODE, operation);
            request.set(ValueLayout.JAVA_INT, at + Layouts.SendWr.SEND_FLAGS, sendFlags);
            request.set(ValueLayout.JAVA_LONG, at + Layouts.SendWr.REMOTE_ADDR, remoteAddress);
            request.set(ValueLayout.JAVA_INT, at + Layouts.SendWr.RKEY, rkey);
        } finally {
            gate.leave();
        }
    }

    private void enter() throws RdmaException {
        if (!gate.enter()) {
            throw new RdmaException("the queue pair is closed");
        }
    }

    private static void checkLength(int length) {
        if (length < 0) {
            throw new IllegalArgumentException("a length cannot be " + length);
        }
    }

    @Override
    public void ringDoorbell() {
        if (!gate.enter()) {
            return;
        }
        try {
            boolean receiving = handOver(receives, device.context().postReceive(), receiveQueue, "ibv_post_recv");
            boolean sending = handOver(sends, device.context().postSend(), sendQueue, "ibv_post_send");
            if ((sending || receiving) && state == QpState.ERROR) {
                // soft-RoCE looks at what is posted to a queue pair in error only when it is put there once more
                modifyToError();
            }
        } finally {
            gate.leave();
        }
    }

    private boolean handOver(WorkRing ring, MemorySegment function, VerbsCompletionQueue queue, String call) {
        if (!ring.pending()) {
            return false;
        }
        if (ring.refusing()) {
            ring.handedOver();
            device.signal(queue);
            return true;
        }
        bad.set(ValueLayout.JAVA_LONG, 0, 0);
        int failed = Ibverbs.post(function, pointer, ring.first(), bad.address());
        if (failed == 0) {
            ring.handedOver();
            return true;
        }
        LOG.warn("{}: queue pair {}: {}: {}", device.name(), number, call, Errno.text(Math.abs(failed)));
        long first = bad.get(ValueLayout.JAVA_LONG, 0);
        ring.refusedAt(first == 0 ? ring.first() : first);
        modifyToError();
        device.signal(queue);
        return true;
    }

    @Override
    public void moveToError() {
        if (gate.enter()) {
            try {
                modifyToError();
            } finally {
                gate.leave();
            }
        }
    }

    private void modifyToError() {
        // told before it is done: a completion of the flush may be seen before the call returns
        state = QpState.ERROR;
        int failed = Ibverbs.modifyQp(pointer, errorState, Ibverbs.QP_STATE);
        if (failed != 0) {
            LOG.warn("{}: queue pair {} cannot be moved to the error state: {}", device.name(), number,
                Errno.text(failed));
        }
    }

    /** The device says that the queue pair is in the error state, or one of its completions does. */
    void failed() {
        state = QpState.ERROR;
    }

    /**
     * Moves it on, to INIT, RTR or RTS.
     *
     * @param attributes {@code ibv_qp_attr}, filled in
     */
    void modify(MemorySegment attributes, int mask, QpState to) throws RdmaException {
        enter();
        try {
            if (state == QpState.ERROR) {
                throw new RdmaException("the queue pair is in the error state");
            }
            int failed = Ibverbs.modifyQp(pointer, attributes, mask);
            if (failed != 0) {
                throw Errno.failed(device.name() + ": queue pair " + number + " to " + to + ": ibv_modify_qp", failed);
            }
            state = to;
        } finally {
            gate.leave();
        }
    }

    /**
     * Called by the one who polls a completion queue: fills in a completion of this queue pair.
     *
     * @return false when it is of no outstanding request
     */
    boolean completed(long workRequestId, int status, int bytes, WorkCompletion into) {
        if (status != Statuses.SUCCESS) {
            failed();
        }
        int tag = (int) (workRequestId >>> 48);
        if ((tag & RECEIVE) != 0 && (tag & SHARED) != 0) {
            return shared.isPresent() && shared.get().completed(workRequestId, status, bytes, number, into);
        }
        WorkRing ring = (tag & RECEIVE) != 0 ? receives : sends;
        long sequence = ring.find(workRequestId);
        if (sequence < 0) {
            return false;
        }
        Opcode opcode = ring.opcode(sequence);
        Status how = Statuses.of(status);
        into.set(ring.id(sequence), how, opcode, opcode == Opcode.RECEIVE && status == 0 ? bytes : 0, number);
        ring.completeThrough(sequence);
        return true;
    }

    @Override
    public void close() {
        if (gate.close()) {
            sendQueue.detach(this);
            receiveQueue.detach(this);
            device.closed(this);
            int failed = Ibverbs.destroyQp(pointer);
            arena.close();
            if (failed != 0) {
                throw new IllegalStateException(device.name() + ": ibv_destroy_qp: " + Errno.text(failed));
            }
        }
    }

    @Override
    public String toString() {
        return device.name() + " queue pair " + number + " of " + pd;
    }
}
