package io.jsrpt.testing;

import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A connection's handle in the fake fabric: it creates queue pairs, and keeps what else is asked of it. */
public final class FakeCmId implements CmId {
    private final FakeDevice device;
    private final long number;
    private final ServiceId service;
    private final Gid local;
    private final Gid remote;
    private final List<String> calls = new ArrayList<>();
    private Optional<FakeQueuePair> queuePair = Optional.empty();
    private boolean destroyed;

    /** An id of a device. */
    public FakeCmId(FakeDevice device, ServiceId service, Gid local, Gid remote) {
        this.device = device;
        this.service = service;
        this.local = local;
        this.remote = remote;
        number = device.nextNumber();
    }

    /** The queue pair that was created last. */
    public FakeQueuePair queuePair() {
        return queuePair.orElseThrow();
    }

    /** What was called, in order: {@code accept}, {@code reject REASON}, {@code disconnect}, {@code destroy}. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public Gid local() {
        return local;
    }

    @Override
    public Gid remote() {
        return remote;
    }

    @Override
    public ServiceId service() {
        return service;
    }

    @Override
    public OptionalInt remoteQueuePair() {
        return OptionalInt.empty();
    }

    @Override
    public QueuePair createQueuePair(QueuePairSpec spec) throws RdmaException {
        check();
        device.opened("queue-pairs");
        FakeQueuePair created = new FakeQueuePair(device, spec, device.nextNumber(), device.remote());
        queuePair = Optional.of(created);
        return created;
    }

    @Override
    public void accept(ConnectionParameters parameters, byte[] privateData) {
        check();
        calls.add("accept");
    }

    @Override
    public void reject(int reason, byte[] privateData) {
        check();
        calls.add("reject " + reason);
    }

    @Override
    public void connect(ConnectionParameters parameters, byte[] privateData) {
        check();
        calls.add("connect");
    }

    @Override
    public void disconnect() {
        check();
        calls.add("disconnect");
        queuePair.ifPresent(FakeQueuePair::moveToError);
    }

    @Override
    public void destroy() {
        check();
        destroyed = true;
        calls.add("destroy");
    }

    private void check() {
        if (destroyed) {
            throw new IllegalStateException("the id was destroyed");
        }
    }
}
