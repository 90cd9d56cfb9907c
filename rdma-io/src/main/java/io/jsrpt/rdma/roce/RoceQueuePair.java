package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.RdmaException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A queue pair as its owner sees it: posts go into rings, the doorbell tells the network thread. */
final class RoceQueuePair implements QueuePair {
    private final NetworkThread network;
    private final QpEngine engine;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final boolean shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    RoceQueuePair(NetworkThread network, QpEngine engine, SendRing sends, ReceiveRing receives, boolean shared) {
        this.network = network;
        this.engine = engine;
        this.sends = sends;
        this.receives = receives;
        this.shared = shared;
    }

    QpEngine engine() {
        return engine;
    }

    @Override
    public int number() {
        return engine.number();
    }

    @Override
    public QpState state() {
        return engine.state();
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int lkey) throws RdmaException {
        checkLength(length);
        if (shared) {
            throw new RdmaException("the queue pair receives through a shared receive queue");
        }
        if (closed.get()) {
            throw new RdmaException("the queue pair is closed");
        }
        if (!receives.post(workRequestId, address, length, lkey)) {
            throw new RdmaException("the receive queue is full");
        }
    }

    @Override
    public void postSend(long workRequestId, long address, int length, int lkey, int flags) throws RdmaException {
        post(SendRing.SEND, workRequestId, address, length, lkey, 0, 0, flags);
    }

    @Override
    public void postRdmaWrite(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        post(SendRing.WRITE, workRequestId, address, length, lkey, remoteAddress, rkey, flags);
    }

    @Override
    public void postRdmaRead(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        post(SendRing.READ, workRequestId, address, length, lkey, remoteAddress, rkey, flags);
    }

    private void post(int operation, long id, long address, int length, int lkey, long remote, int rkey, int flags)
            throws RdmaException {
        checkLength(length);
        QpState state = engine.state();
        if (state != QpState.RTS && state != QpState.ERROR) {
            throw new RdmaException("the queue pair is not connected, its state is " + state);
        }
        if (!sends.post(operation, id, address, length, lkey, remote, rkey, flags)) {
            throw new RdmaException("the send queue is full");
        }
    }

    private static void checkLength(int length) {
        if (length < 0 || length > Connection.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a length cannot be " + length);
        }
    }

    @Override
    public void ringDoorbell() {
        boolean sending = sends.publish();
        boolean receiving = !shared && receives.publish();
        boolean flushing = engine.state() == QpState.ERROR;
        if (sending || (receiving && (flushing || engine.starved()))) {
            network.list(engine);
        }
    }

    @Override
    public void moveToError() {
        engine.requestError();
        network.list(engine);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            network.release("queue pair", () -> network.remove(engine));
        }
    }
}
