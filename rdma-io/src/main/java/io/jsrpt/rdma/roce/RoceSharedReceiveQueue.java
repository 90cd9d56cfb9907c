package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.SharedReceiveQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** A shared receive queue. */
final class RoceSharedReceiveQueue implements SharedReceiveQueue {
    private final NetworkThread network;
    private final ReceiveRing receives;
    private final int domain;
    private final AtomicBoolean closed = new AtomicBoolean();

    RoceSharedReceiveQueue(NetworkThread network, int domain, int capacity) {
        this.network = network;
        this.domain = domain;
        receives = new ReceiveRing(capacity);
    }

    NetworkThread network() {
        return network;
    }

    int domain() {
        return domain;
    }

    ReceiveRing receives() {
        return receives;
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int lkey) throws RdmaException {
        if (length < 0) {
            throw new IllegalArgumentException("a length cannot be " + length);
        }
        if (closed.get()) {
            throw new RdmaException("the shared receive queue is closed");
        }
        if (!receives.post(workRequestId, address, length, lkey)) {
            throw new RdmaException("the shared receive queue is full");
        }
        receives.publish();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            network.release(
                "shared receive queue", () -> network.counters().add(Count.OPEN_SHARED_RECEIVE_QUEUES, -1));
        }
    }
}
