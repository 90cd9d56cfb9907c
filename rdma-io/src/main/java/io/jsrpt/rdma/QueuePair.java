package io.jsrpt.rdma;

/**
 * A reliable-connected queue pair. All posts are made by its owner; they become visible to the provider at
 * {@link #ringDoorbell}, so that a batch costs one hand-over. Each work request has one scatter-gather entry, given as
 * address, length and lkey; length 0 needs no memory.
 *
 * <p>Whoever posts keeps count: the most outstanding work requests (posted and not yet completed; an unsignalled one
 * counts as completed when a later one of the same queue completes) are those of {@link QueuePairSpec}.
 */
public interface QueuePair extends AutoCloseable {
    /** Work-request flag: complete it on the completion queue even when it succeeds. Failures always complete. */
    int SIGNALED = 1;

    /** Work-request flag, SEND only: ask the receiver to be notified (solicited event). */
    int SOLICITED = 2;

    /** The queue pair number, 24 bits. */
    int number();

    /** The state as last seen by the provider; from any thread. */
    QpState state();

    /**
     * Posts a receive; never with a shared receive queue.
     *
     * @param workRequestId comes back in the completion
     * @throws RdmaException when the receive queue is full
     */
    void postReceive(long workRequestId, long address, int length, int lkey) throws RdmaException;

    /**
     * Posts a SEND.
     *
     * @param flags a sum of {@link #SIGNALED} and {@link #SOLICITED}
     * @throws RdmaException when the send queue is full, or the queue pair never was connected
     */
    void postSend(long workRequestId, long address, int length, int lkey, int flags) throws RdmaException;

    /** Posts an RDMA WRITE; with length 0 the remote address and key are not looked at (IBTA C9-88). */
    void postRdmaWrite(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException;

    /** Posts an RDMA READ; the bytes are in local memory once it has completed. */
    void postRdmaRead(long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException;

    /** Hands everything posted since the last call to the provider. */
    void ringDoorbell();

    /**
     * Moves to the error state: all outstanding work and all that is posted from now on completes with
     * {@link WorkCompletion.Status#WORK_REQUEST_FLUSHED}, in order within each queue. A send-queue work request that is
     * posted and signalled after this call is therefore the last send completion. Idempotent.
     */
    void moveToError();

    /** Destroys the queue pair; completions not polled yet may be dropped. Idempotent. */
    @Override
    void close();
}
