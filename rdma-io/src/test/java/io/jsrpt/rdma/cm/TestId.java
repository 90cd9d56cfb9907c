package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.ServiceId;
import java.util.OptionalInt;

/** An id that is only looked at: the engine must not call it. */
record TestId(long number) implements CmId {
    @Override
    public RdmaDevice device() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Gid local() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Gid remote() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ServiceId service() {
        throw new UnsupportedOperationException();
    }

    @Override
    public OptionalInt remoteQueuePair() {
        throw new UnsupportedOperationException();
    }

    @Override
    public QueuePair createQueuePair(QueuePairSpec spec) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void accept(ConnectionParameters parameters, byte[] privateData) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void connect(ConnectionParameters parameters, byte[] privateData) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void disconnect() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void destroy() {
        throw new UnsupportedOperationException();
    }
}
