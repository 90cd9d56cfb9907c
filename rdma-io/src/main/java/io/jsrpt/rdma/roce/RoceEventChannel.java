package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** An event channel: filled by the network thread, emptied by its owner. */
final class RoceEventChannel implements CmEventChannel {
    private final NetworkThread network;
    private final ConnectionManager manager;
    private final ConcurrentLinkedQueue<CmEvent> events = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Optional<Runnable>> armed = new AtomicReference<>(Optional.empty());
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The network thread's: the ids that are open, and whether events came in this turn. */
    private final Set<RoceCmId> ids = new HashSet<>();

    private boolean touched;

    RoceEventChannel(NetworkThread network, ConnectionManager manager) {
        this.network = network;
        this.manager = manager;
    }

    @Override
    public CmId listen(ServiceId service) throws RdmaException {
        open();
        return network.create("listener", () -> manager.listen(this, service))
            .orElseThrow(() -> new RdmaException("the service " + service + " is taken"));
    }

    @Override
    public CmId createId(Gid remote, ServiceId service) throws RdmaException {
        open();
        return network.create("connection id", () -> manager.create(this, remote, service));
    }

    private void open() throws RdmaException {
        if (closed.get()) {
            throw new RdmaException("the event channel is closed");
        }
    }

    @Override
    public Optional<CmEvent> poll() {
        CmEvent event = events.poll();
        while (event != null && RoceCmId.of(event.id()).destroyed()) {
            event = events.poll();
        }
        return Optional.ofNullable(event);
    }

    @Override
    public void arm(Runnable notification) {
        armed.set(Optional.of(notification));
        if (!events.isEmpty()) {
            fire();
        }
    }

    private void fire() {
        armed.getAndSet(Optional.empty()).ifPresent(Runnable::run);
    }

    /** Called by the network thread. */
    void opened(RoceCmId id) {
        ids.add(id);
    }

    /** Called by the network thread; false when the id was not open. */
    boolean closed(RoceCmId id) {
        return ids.remove(id);
    }

    /** Called by the network thread: adds an event, and returns whether it is the first of this turn. */
    boolean add(CmEvent event) {
        if (closed.get()) {
            return false;
        }
        events.add(event);
        boolean first = !touched;
        touched = true;
        return first;
    }

    /** Called by the network thread at the end of a turn in which events came. */
    void endTurn() {
        touched = false;
        fire();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            armed.set(Optional.empty());
            network.release("event channel", () -> {
                for (RoceCmId id : new ArrayList<>(ids)) {
                    if (id.markDestroyed()) {
                        manager.destroy(id);
                    }
                }
                network.counters().add(Count.OPEN_EVENT_CHANNELS, -1);
            });
            events.clear();
        }
    }
}
