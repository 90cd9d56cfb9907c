package io.jsrpt.rdma;

/** Receives that several queue pairs take from. Owned and posted to by one actor. */
public interface SharedReceiveQueue extends AutoCloseable {
    /**
     * Posts a receive and makes it visible at once.
     *
     * @throws RdmaException when the queue is full
     */
    void postReceive(long workRequestId, long address, int length, int lkey) throws RdmaException;

    /** Destroys the queue; its queue pairs must have been closed. Idempotent. */
    @Override
    void close();
}
