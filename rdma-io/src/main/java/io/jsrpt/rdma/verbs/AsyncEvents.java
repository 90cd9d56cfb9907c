package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaDevice.Counter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device's asynchronous events ({@code ibv_get_async_event}). What concerns connections comes as an event of the
 * connection manager too; here queue pairs learn that they have failed, and people what happens to the ports.
 */
final class AsyncEvents {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncEvents.class);

    /** By number, {@code enum ibv_event_type}. */
    private static final List<String> NAMES = List.of(
        "CQ_ERR", "QP_FATAL", "QP_REQ_ERR", "QP_ACCESS_ERR", "COMM_EST", "SQ_DRAINED", "PATH_MIG", "PATH_MIG_ERR",
        "DEVICE_FATAL", "PORT_ACTIVE", "PORT_ERR", "LID_CHANGE", "PKEY_CHANGE", "SM_CHANGE", "SRQ_ERR",
        "SRQ_LIMIT_REACHED", "QP_LAST_WQE_REACHED", "CLIENT_REREGISTER", "GID_CHANGE", "WQ_FATAL");

    private final VerbsDevice device;
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong queuePairErrors = new AtomicLong();

    AsyncEvents(VerbsDevice device) {
        this.device = device;
    }

    /** Called by the device's thread for them: takes all that are there. */
    void fetch() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(Layouts.AsyncEvent.BYTES, 8);
            while (Ibverbs.getAsyncEvent(device.context().pointer(), event) == 0) {
                long element = event.get(ValueLayout.JAVA_LONG, Layouts.AsyncEvent.ELEMENT);
                int type = event.get(ValueLayout.JAVA_INT, Layouts.AsyncEvent.EVENT_TYPE);
                // by address, which another object may get once this event is acknowledged
                Optional<VerbsQueuePair> queuePair = device.queuePair(element);
                Optional<VerbsCmId> id = device.ownerOf(element);
                Ibverbs.ackAsyncEvent(event);
                events.incrementAndGet();
                on(type, element, queuePair, id);
            }
        }
    }

    private void on(int type, long element, Optional<VerbsQueuePair> queuePair, Optional<VerbsCmId> id) {
        int port = (int) element;
        String name = type >= 0 && type < NAMES.size() ? NAMES.get(type) : "event " + type;
        switch (name) {
            case "QP_FATAL", "QP_REQ_ERR", "QP_ACCESS_ERR" -> {
                queuePairErrors.incrementAndGet();
                queuePair.ifPresent(VerbsQueuePair::failed);
                LOG.debug("{}: {} of {}", device, name, queuePair);
            }
            case "COMM_EST" -> id.ifPresent(owner -> owner.communicationEstablished(type));
            case "CQ_ERR", "SRQ_ERR" -> {
                LOG.error("{}: {}: a queue has failed, which costs its queue pairs", device, name);
                device.queueFailed(element);
            }
            case "DEVICE_FATAL" -> {
                LOG.error("{}: the device has failed or is being removed", device);
                device.failed();
            }
            case "PORT_ACTIVE" -> LOG.info("{}: port {} is up", device, port);
            case "PORT_ERR" -> LOG.warn("{}: port {} is down", device, port);
            case "SQ_DRAINED", "QP_LAST_WQE_REACHED", "SRQ_LIMIT_REACHED" ->
                LOG.debug("{}: {} of {}", device, name, queuePair);
            default -> LOG.info("{}: {} of port {}", device, name, port);
        }
    }

    List<Counter> counters() {
        return List.of(
            new Counter("async.events", events.get()), new Counter("async.queue-pair-errors", queuePairErrors.get()));
    }
}
