package io.jsrpt.it.fault;

import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import java.util.OptionalInt;

/** An id whose calls can fail. Not a record: ids are told apart by identity. */
final class FaultyCmId implements CmId {
    private final FaultyDevice device;
    private final FaultyEventChannel channel;
    private final CmId inner;

    FaultyCmId(FaultyDevice device, FaultyEventChannel channel, CmId inner) {
        this.device = device;
        this.channel = channel;
        this.inner = inner;
    }

    @Override
    public long number() {
        return inner.number();
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public Gid local() {
        return inner.local();
    }

    @Override
    public Gid remote() {
        return inner.remote();
    }

    @Override
    public ServiceId service() {
        return inner.service();
    }

    @Override
    public OptionalInt remoteQueuePair() {
        return inner.remoteQueuePair();
    }

    @Override
    public QueuePair createQueuePair(QueuePairSpec spec) throws RdmaException {
        device.faults().check(Faults.Call.CREATE_QUEUE_PAIR);
        return new FaultyQueuePair(
                inner.createQueuePair(new QueuePairSpec(
                        ((FaultyDevice.Domain) spec.pd()).inner(),
                        ((FaultyCompletionQueue) spec.sendQueue()).inner(),
                        ((FaultyCompletionQueue) spec.receiveQueue()).inner(),
                        spec.sharedReceiveQueue(),
                        spec.maxSendWorkRequests(),
                        spec.maxReceiveWorkRequests())),
                device.faults());
    }

    @Override
    public void accept(ConnectionParameters parameters, byte[] privateData) throws RdmaException {
        device.faults().check(Faults.Call.ACCEPT);
        inner.accept(parameters, privateData);
    }

    @Override
    public void reject(int reason, byte[] privateData) throws RdmaException {
        device.faults().check(Faults.Call.REJECT);
        inner.reject(reason, privateData);
    }

    @Override
    public void connect(ConnectionParameters parameters, byte[] privateData) throws RdmaException {
        inner.connect(parameters, privateData);
    }

    @Override
    public void disconnect() {
        inner.disconnect();
    }

    @Override
    public void destroy() {
        channel.forget(inner);
        inner.destroy();
    }

    @Override
    public String toString() {
        return inner.toString();
    }
}
