package io.jsrpt.testing.rdma;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a device's connection manager events wait. */
final class SimEventChannel implements CmEventChannel {
    private static final ConnectionParameters OFFERED = new ConnectionParameters(4, 0, 7, 7, true, false);

    private final SimDevice device;
    private final Ledger.Entry entry;
    private final ArrayDeque<CmEvent> events = new ArrayDeque<>();
    private final List<SimId> listeners = new ArrayList<>();
    private final List<SimId> ids = new ArrayList<>();
    private Optional<Runnable> armed = Optional.empty();

    SimEventChannel(SimDevice device) {
        this.device = device;
        this.entry = device.ledger().opened("event channel of " + device.name());
    }

    SimDevice device() {
        return device;
    }

    Optional<SimId> listener(ServiceId service) {
        return listeners.stream().filter(l -> l.service().equals(service)).findFirst();
    }

    int waiting() {
        return events.size();
    }

    void listenerRemoved() {
        listeners.forEach(listener -> tell(new CmEvent.DeviceRemoved(listener)));
    }

    void request(SimId id, SimId listener, byte[] privateData) {
        ids.add(id);
        tell(new CmEvent.ConnectRequest(id, listener, OFFERED, privateData, PathMtu.MTU_4096, 0xffff));
    }

    void tell(CmEvent event) {
        events.add(event);
        wake();
    }

    /** No event of a destroyed id comes any more. */
    void destroyed(SimId id) {
        events.removeIf(event -> event.id() == id);
        listeners.remove(id);
        ids.remove(id);
    }

    private void wake() {
        Optional<Runnable> notification = armed;
        armed = Optional.empty();
        notification.ifPresent(Runnable::run);
    }

    @Override
    public CmId listen(ServiceId service) throws RdmaException {
        synchronized (device.ledger()) {
            entry.used("listen");
            device.faults().refuse("listen");
            SimId listener = new SimId(this, new Gid(0, 0), service);
            listeners.add(listener);
            return listener;
        }
    }

    @Override
    public CmId createId(Gid remote, ServiceId service) throws RdmaException {
        throw new RdmaException("only the passive side is simulated");
    }

    @Override
    public Optional<CmEvent> poll() {
        synchronized (device.ledger()) {
            entry.used("poll");
            device.faults().crash("poll events");
            Optional<CmEvent> event = Optional.ofNullable(events.poll());
            event.ifPresent(e -> ((SimId) e.id()).told(e));
            return event;
        }
    }

    @Override
    public void arm(Runnable notification) {
        synchronized (device.ledger()) {
            entry.used("arm");
            armed = Optional.of(notification);
            if (!events.isEmpty()) {
                wake();
            }
        }
    }

    @Override
    public void close() {
        synchronized (device.ledger()) {
            if (!entry.destroyed(true)) {
                return;
            }
            events.clear();
            armed = Optional.empty();
            device.closed(this);
            List.copyOf(listeners).forEach(SimId::destroyByChannel);
            List.copyOf(ids).forEach(SimId::destroyByChannel);
        }
    }
}
