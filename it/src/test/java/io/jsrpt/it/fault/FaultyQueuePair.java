package io.jsrpt.it.fault;

import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.RdmaException;

/** A queue pair whose posts can fail. */
record FaultyQueuePair(QueuePair inner, Faults faults) implements QueuePair {
    FaultyQueuePair {
        faults.opened(inner);
    }

    @Override
    public int number() {
        return inner.number();
    }

    @Override
    public QpState state() {
        return inner.state();
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int lkey) throws RdmaException {
        faults.check(Faults.Call.POST_RECEIVE);
        inner.postReceive(workRequestId, address, length, lkey);
    }

    @Override
    public void postSend(long workRequestId, long address, int length, int lkey, int flags) throws RdmaException {
        faults.check(Faults.Call.POST_SEND);
        inner.postSend(workRequestId, address, length, lkey, flags);
    }

    @Override
    public void postRdmaWrite(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        faults.check(Faults.Call.POST_RDMA_WRITE);
        inner.postRdmaWrite(workRequestId, address, length, lkey, remoteAddress, rkey, flags);
    }

    @Override
    public void postRdmaRead(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        faults.check(Faults.Call.POST_RDMA_READ);
        inner.postRdmaRead(workRequestId, address, length, lkey, remoteAddress, rkey, flags);
    }

    @Override
    public void ringDoorbell() {
        inner.ringDoorbell();
    }

    @Override
    public void moveToError() {
        inner.moveToError();
    }

    @Override
    public void close() {
        faults.closed(inner);
        inner.close();
    }
}
