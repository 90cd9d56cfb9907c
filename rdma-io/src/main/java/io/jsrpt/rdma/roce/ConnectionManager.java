package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.cm.CmConnection;
import io.jsrpt.rdma.cm.CmEngine;
import io.jsrpt.rdma.cm.CmSettings;
import io.jsrpt.rdma.cm.CmSink;
import io.jsrpt.rdma.cm.ReadyToReceive;
import io.jsrpt.rdma.cm.ReadyToSend;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins the connection manager's engine to a port: its datagrams to QP1, its ids and events to event channels, its
 * transitions to queue pairs. Owned by the network thread.
 */
final class ConnectionManager implements Management, CmSink {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionManager.class);
    private static final long NEVER = Long.MAX_VALUE;

    /** IBTA volume 1, 11.2.5.2: a timeout code stands for 4.096 microseconds times two to its power; 0 is for ever. */
    private static final long TIMEOUT_UNIT_NANOS = 4096;

    private static final long FOR_EVER_NANOS = 1L << 60;

    private final RoceDevice device;
    private final NetworkThread network;
    private final CmEngine engine;
    private final AtomicLong numbers;
    private final Map<CmConnection, RoceCmId> ids = new IdentityHashMap<>();
    private final Map<ServiceId, RoceCmId> listeners = new HashMap<>();
    private final List<RoceEventChannel> withEvents = new ArrayList<>();

    /** The numbers are those of ids, unique within the service. */
    ConnectionManager(RoceDevice device, NetworkThread network, CmSettings settings, AtomicLong numbers) {
        this.device = device;
        this.network = network;
        this.numbers = numbers;
        engine = new CmEngine(settings, this, System::nanoTime, new SecureRandom());
    }

    /** The engine, for commands; it is the network thread's. */
    CmEngine engine() {
        return engine;
    }

    /** Begins to listen; false when the service is taken. */
    Optional<RoceCmId> listen(RoceEventChannel channel, ServiceId service) {
        RoceCmId id = newId(channel, new Gid(0, 0), service, Optional.empty());
        if (!engine.listen(service, id)) {
            return Optional.empty();
        }
        listeners.put(service, id);
        opened(id);
        return Optional.of(id);
    }

    /** Makes an id for a connection of this side. */
    RoceCmId create(RoceEventChannel channel, Gid remote, ServiceId service) throws RdmaException {
        network.socket().peer(remote);
        RoceCmId id = newId(channel, remote, service, Optional.empty());
        CmConnection connection = engine.create(id, remote, service);
        id.setConnection(connection);
        ids.put(connection, id);
        opened(id);
        return id;
    }

    private RoceCmId newId(
            RoceEventChannel channel, Gid remote, ServiceId service, Optional<CmConnection> connection) {
        return new RoceCmId(device, network, this, channel, numbers.incrementAndGet(), remote, service, connection);
    }

    private void opened(RoceCmId id) {
        id.channel().opened(id);
        network.counters().increment(Count.OPEN_CM_IDS);
    }

    /** Lets go of an id: its connection or its listening ends. */
    void destroy(RoceCmId id) {
        if (id.channel().closed(id)) {
            network.counters().add(Count.OPEN_CM_IDS, -1);
            id.connection().ifPresentOrElse(
                connection -> {
                    engine.destroy(connection);
                    ids.remove(connection);
                },
                () -> {
                    engine.endListen(id.service());
                    listeners.remove(id.service());
                });
        }
    }

    @Override
    public void onMad(Gid from, byte[] mad, long now) {
        if (!engine.onMad(from, mad)) {
            network.counters().increment(Count.DROPPED_MALFORMED);
        }
    }

    @Override
    public long deadline() {
        long nanos = engine.nanosToNextDeadline();
        return nanos == NEVER ? NEVER : System.nanoTime() + nanos;
    }

    @Override
    public void onTimer(long now) {
        engine.onTimer();
    }

    @Override
    public void endTurn() {
        for (int i = 0; i < withEvents.size(); i++) {
            try {
                withEvents.get(i).endTurn();
            } catch (RuntimeException e) {
                network.counters().increment(Count.FAULTS);
                LOG.error("{}: an event channel's notification failed", device.name(), e);
            }
        }
        withEvents.clear();
    }

    @Override
    public void onPortLost() {
        List<RoceCmId> all = new ArrayList<>(ids.values());
        all.addAll(listeners.values());
        all.forEach(id -> event(new CmEvent.DeviceRemoved(id)));
    }

    @Override
    public void close() {
        engine.close();
    }

    @Override
    public void send(Gid peer, byte[] mad) {
        try {
            network.gsi().send(network.socket().peer(peer), mad);
        } catch (RdmaException e) {
            LOG.warn("{}: cannot send a datagram to {}: {}", device.name(), peer, e.getMessage());
        }
    }

    @Override
    public CmId newId(CmConnection connection, CmId listener) {
        RoceEventChannel channel = RoceCmId.of(listener).channel();
        RoceCmId id = newId(channel, connection.remote(), connection.service(), Optional.of(connection));
        ids.put(connection, id);
        opened(id);
        return id;
    }

    @Override
    public void event(CmEvent event) {
        RoceEventChannel channel = RoceCmId.of(event.id()).channel();
        if (channel.add(event)) {
            withEvents.add(channel);
        }
    }

    @Override
    public boolean readyToReceive(CmConnection connection, ReadyToReceive a) {
        Optional<QpEngine> found = queuePair(connection);
        if (found.isEmpty()) {
            return false;
        }
        QpEngine qp = found.get();
        try {
            Peer peer = network.socket().peer(a.remote());
            Connection toPeer = new Connection(
                qp.number(),
                qp.domain(),
                a.remoteQueuePair(),
                a.pathMtu().bytes(),
                network.outputTo(peer),
                network.memory(),
                network.counters());
            Responder.Attributes attributes = new Responder.Attributes(
                a.remoteStartingPsn(), a.responderResources(), a.minRnrTimer(), !qp.shared());
            qp.peer = Optional.of(peer);
            return qp.readyToReceive(toPeer, attributes, network.tuning(), () -> engine.established(connection));
        } catch (RdmaException e) {
            LOG.warn("{}: cannot reach the peer of {}: {}", device.name(), connection, e.getMessage());
            return false;
        }
    }

    @Override
    public boolean readyToSend(CmConnection connection, ReadyToSend a) {
        long timeout = a.ackTimeout() == 0 ? FOR_EVER_NANOS : TIMEOUT_UNIT_NANOS << a.ackTimeout();
        Requester.Attributes attributes = new Requester.Attributes(
            a.startingPsn(), a.initiatorDepth(), a.retryCount(), a.rnrRetryCount(), timeout);
        return queuePair(connection)
            .filter(qp -> qp.readyToSend(attributes, network.tuning()))
            .isPresent();
    }

    @Override
    public void error(CmConnection connection) {
        queuePair(connection).ifPresent(qp -> {
            qp.requestError();
            network.touch(qp);
        });
    }

    private Optional<QpEngine> queuePair(CmConnection connection) {
        return Optional.ofNullable(ids.get(connection))
            .flatMap(RoceCmId::queuePair)
            .flatMap(qp -> network.queuePairs().get(qp.number()));
    }
}
