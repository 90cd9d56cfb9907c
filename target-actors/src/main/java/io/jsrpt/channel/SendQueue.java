package io.jsrpt.channel;

import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.RdmaException;

/**
 * The send queue of a channel's queue pair, with its slots counted. An unsignalled work request is known to be done
 * when a later signalled one is, so each batch must end with a signalled one. Owner only.
 *
 * <p>A work request id is the kind (8 bits), the index of the I/O context (16 bits), and the low 40 bits of the
 * sequence number, which tells how far the queue has come.
 */
final class SendQueue {
    /** Slots beyond the counted ones: an SRP_CRED_REQ, an SRP_T_LOGOUT, a probe, the last work request of all. */
    static final int RESERVED = 4;

    /** Of a receive, see {@link #receiveId}. */
    static final int RECEIVE = 0;
    /** Of an RDMA READ or WRITE. */
    static final int TRANSFER = 1;
    /** Of an SRP_RSP. */
    static final int RESPONSE = 2;
    /** Of a unit that the target sends of its own accord; the index tells which. */
    static final int CONTROL = 3;
    /** Of the last work request. */
    static final int LAST = 4;
    /** Of a probe. */
    static final int PROBE = 5;

    private static final int KIND_SHIFT = 56;
    private static final int INDEX_SHIFT = 40;
    private static final int INDEX_MASK = 0xffff;
    private static final long SEQUENCE_MASK = (1L << INDEX_SHIFT) - 1;

    private final QueuePair queuePair;
    private final int depth;
    private final int lkey;
    private long posted;
    private long retired;

    /**
     * A queue with {@code depth} counted slots.
     *
     * @param lkey of all local memory
     */
    SendQueue(QueuePair queuePair, int depth, int lkey) {
        this.queuePair = queuePair;
        this.depth = depth;
        this.lkey = lkey;
    }

    static long receiveId(int slot) {
        return (long) RECEIVE << KIND_SHIFT | (long) slot << INDEX_SHIFT;
    }

    static int kind(long workRequestId) {
        return (int) (workRequestId >>> KIND_SHIFT);
    }

    static int index(long workRequestId) {
        return (int) (workRequestId >>> INDEX_SHIFT) & INDEX_MASK;
    }

    int depth() {
        return depth;
    }

    /** Free slots, without the reserved ones. */
    int free() {
        return (int) Math.max(0, depth - outstanding());
    }

    /** Work requests that are not known to be done. */
    long outstanding() {
        return posted - retired;
    }

    /** Whether the work request with this sequence number, as a post returned it, is done. */
    boolean isDone(long sequence) {
        return sequence < retired;
    }

    /** Posts an RDMA READ. */
    long read(int index, long address, int length, long remoteAddress, int rkey, boolean signalled)
            throws RdmaException {
        queuePair.postRdmaRead(
                id(TRANSFER, index), address, length, lkey, remoteAddress, rkey, signalled ? QueuePair.SIGNALED : 0);
        return posted++;
    }

    /** Posts an RDMA WRITE. */
    long write(int index, long address, int length, long remoteAddress, int rkey, boolean signalled)
            throws RdmaException {
        queuePair.postRdmaWrite(
                id(TRANSFER, index), address, length, lkey, remoteAddress, rkey, signalled ? QueuePair.SIGNALED : 0);
        return posted++;
    }

    /** Posts a SEND, signalled. */
    long send(int kind, int index, long address, int length, boolean solicited) throws RdmaException {
        int flags = solicited ? QueuePair.SIGNALED | QueuePair.SOLICITED : QueuePair.SIGNALED;
        queuePair.postSend(id(kind, index), address, length, lkey, flags);
        return posted++;
    }

    /** Posts the zero-length RDMA WRITE whose completion is the last ({@code srpt_zerolength_write}). */
    void postLast() throws RdmaException {
        emptyWrite(LAST);
    }

    /**
     * Posts a zero-length RDMA WRITE: it touches nothing of the initiator's, whose acknowledgement completes it, and
     * without one it fails like any other. (IBTA volume 1, C9-88: its key is not checked.)
     */
    void postProbe() throws RdmaException {
        emptyWrite(PROBE);
    }

    private void emptyWrite(int kind) throws RdmaException {
        queuePair.postRdmaWrite(id(kind, 0), 0, 0, 0, 0, 0, QueuePair.SIGNALED);
        posted++;
    }

    /**
     * Takes note of a completion: it and all before it are done.
     *
     * @return the sequence number of what completed
     */
    long retire(long workRequestId) {
        long ahead = (workRequestId - retired) & SEQUENCE_MASK;
        if (ahead >= posted - retired) {
            throw new IllegalStateException("a completion of work that was not posted: " + workRequestId);
        }
        retired += ahead + 1;
        return retired - 1;
    }

    private long id(int kind, int index) {
        return (long) kind << KIND_SHIFT | (long) index << INDEX_SHIFT | (posted & SEQUENCE_MASK);
    }
}
