package io.jsrpt.it.fault;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** An event channel; its ids have one wrapper each, for as long as they are not destroyed. */
final class FaultyEventChannel implements CmEventChannel {
    private final FaultyDevice device;
    private final CmEventChannel inner;
    private final Map<CmId, FaultyCmId> ids = new ConcurrentHashMap<>();

    FaultyEventChannel(FaultyDevice device, CmEventChannel inner) {
        this.device = device;
        this.inner = inner;
    }

    @Override
    public CmId listen(ServiceId service) throws RdmaException {
        device.faults().check(Faults.Call.LISTEN);
        return wrap(inner.listen(service));
    }

    @Override
    public CmId createId(Gid remote, ServiceId service) throws RdmaException {
        return wrap(inner.createId(remote, service));
    }

    @Override
    public Optional<CmEvent> poll() {
        return inner.poll().map(this::wrap);
    }

    @Override
    public void arm(Runnable notification) {
        inner.arm(notification);
    }

    @Override
    public void close() {
        inner.close();
        ids.clear();
    }

    void forget(CmId id) {
        ids.remove(id);
    }

    private CmId wrap(CmId id) {
        return ids.computeIfAbsent(id, i -> new FaultyCmId(device, this, i));
    }

    private CmEvent wrap(CmEvent event) {
        return switch (event) {
            case CmEvent.ConnectRequest e -> new CmEvent.ConnectRequest(wrap(e.id()), wrap(e.listener()),
                    e.parameters(), e.privateData(), e.pathMtu(), e.partitionKey());
            case CmEvent.Established e -> new CmEvent.Established(wrap(e.id()), e.parameters(), e.privateData());
            case CmEvent.Rejected e -> new CmEvent.Rejected(wrap(e.id()), e.reason(), e.privateData());
            case CmEvent.Unreachable e -> new CmEvent.Unreachable(wrap(e.id()));
            case CmEvent.ConnectError e -> new CmEvent.ConnectError(wrap(e.id()), e.reason());
            case CmEvent.Disconnected e -> new CmEvent.Disconnected(wrap(e.id()));
            case CmEvent.TimewaitExit e -> new CmEvent.TimewaitExit(wrap(e.id()));
            case CmEvent.DeviceRemoved e -> new CmEvent.DeviceRemoved(wrap(e.id()));
            case CmEvent.AddressChanged e -> new CmEvent.AddressChanged(wrap(e.id()));
        };
    }
}
