package io.jsrpt.channel;

import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.RdmaException;

/**
 * The receive buffers of a channel. Each is either posted or, from its completion until it is posted again, held by
 * one unit; posting one that is posted already is refused. Owner only.
 */
final class ReceiveRing {
    private final QueuePair queuePair;
    private final ChannelMemory memory;
    private final int length;
    private final boolean[] posted;
    private int postedCount;

    /** A ring of so many buffers, none posted. */
    ReceiveRing(QueuePair queuePair, ChannelMemory memory, int count, int length) {
        this.queuePair = queuePair;
        this.memory = memory;
        this.length = length;
        posted = new boolean[count];
    }

    void postAll() throws RdmaException {
        for (int slot = 0; slot < posted.length; slot++) {
            post(slot);
        }
    }

    /** Posts a buffer that is held. */
    void post(int slot) throws RdmaException {
        if (posted[slot]) {
            throw new IllegalStateException("receive " + slot + " was posted twice");
        }
        queuePair.postReceive(
                SendQueue.receiveId(slot), memory.address(memory.receiveOffset(slot)), length, memory.lkey());
        posted[slot] = true;
        postedCount++;
    }

    /** A posted buffer has completed. */
    void completed(int slot) {
        if (!posted[slot]) {
            throw new IllegalStateException("receive " + slot + " completed twice");
        }
        posted[slot] = false;
        postedCount--;
    }

    int size() {
        return posted.length;
    }

    int postedCount() {
        return postedCount;
    }
}
