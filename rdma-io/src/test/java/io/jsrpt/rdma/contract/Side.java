package io.jsrpt.rdma.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.SharedReceiveQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * One side of a test: an opened service with a device, a protection domain, an event channel, and what the test opens
 * with it, which is closed in the reverse order. Everything is done by the test's thread, which waits for the
 * provider's notifications.
 */
final class Side implements AutoCloseable {
    static final ServiceId RDMA_CM = ServiceId.rdmaTcp(5000);
    static final int DEPTH = 64;

    /** READs in flight: fewer than the work requests that some tests post. */
    static final ConnectionParameters PARAMETERS = new ConnectionParameters(4, 4, 7, 7, true, false);

    private static final long PATIENCE_SECONDS = 10;

    private final String name;
    private final RdmaService service;
    private final ServiceId otherService;
    private final RdmaDevice device;
    private final Map<String, Long> baseline;
    private final Arena arena = Arena.ofShared();
    private final Semaphore notified = new Semaphore(0);
    private final Deque<AutoCloseable> toClose = new ArrayDeque<>();
    private final CmEventChannel events;
    private final ProtectionDomain pd;
    private boolean serviceClosed;

    Side(String name, RdmaService service, ServiceId otherService) throws RdmaException {
        this.name = name;
        this.service = service;
        this.otherService = otherService;
        device = service.devices().getFirst();
        baseline = openCounters();
        events = closeLater(device.createEventChannel());
        pd = closeLater(device.allocateProtectionDomain());
    }

    /** A second service, next to {@link #RDMA_CM}. */
    ServiceId otherService() {
        return otherService;
    }

    ServiceId[] bothServices() {
        return new ServiceId[] {RDMA_CM, otherService};
    }

    RdmaService service() {
        return service;
    }

    RdmaDevice device() {
        return device;
    }

    ProtectionDomain pd() {
        return pd;
    }

    CmEventChannel events() {
        return events;
    }

    Gid gid() {
        return device.ports().getFirst().gids().getFirst();
    }

    /** Native memory that lives as long as this side. */
    MemorySegment memory(long bytes) {
        return arena.allocate(bytes, 64);
    }

    MemoryRegion region(long bytes, Access... access) throws RdmaException {
        return closeLater(pd.register(memory(bytes), Set.of(access)));
    }

    CompletionQueue completionQueue() throws RdmaException {
        return closeLater(device.createCompletionQueue(4 * DEPTH, notified::release));
    }

    SharedReceiveQueue sharedReceiveQueue(int capacity) throws RdmaException {
        return closeLater(device.createSharedReceiveQueue(pd, capacity));
    }

    CmId listen(ServiceId service) throws RdmaException {
        CmId listener = events.listen(service);
        toClose.push(listener::destroy);
        return listener;
    }

    /** An id that wants to connect, with a queue pair. */
    Endpoint initiate(Side peer, ServiceId service) throws RdmaException {
        return endpoint(events.createId(peer.gid(), service), Optional.empty());
    }

    /** A queue pair for an id, both closed with this side. */
    Endpoint endpoint(CmId id, Optional<SharedReceiveQueue> shared) throws RdmaException {
        CompletionQueue sends = completionQueue();
        CompletionQueue receives = completionQueue();
        Endpoint endpoint = new Endpoint(
                this,
                id,
                id.createQueuePair(
                        new QueuePairSpec(pd, sends, receives, shared, DEPTH, shared.isPresent() ? 0 : DEPTH)),
                sends,
                receives);
        toClose.push(endpoint);
        return endpoint;
    }

    /** The next event; fails when none comes or it is of another kind. */
    <E extends CmEvent> E next(Class<E> kind) {
        CmEvent event = await(events::poll, () -> events.arm(notified::release), kind.getSimpleName());
        if (!kind.isInstance(event)) {
            return fail(name + ": " + kind.getSimpleName() + " expected, not " + event);
        }
        return kind.cast(event);
    }

    /** Polls, arms, polls, and waits for a notification, until there is something. */
    <T> T await(Supplier<Optional<T>> poll, Runnable arm, String what) {
        while (true) {
            Optional<T> got = poll.get();
            if (got.isPresent()) {
                return got.get();
            }
            arm.run();
            got = poll.get();
            if (got.isPresent()) {
                return got.get();
            }
            try {
                if (!notified.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    return fail(name + ": no " + what + " came; " + counted());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return fail(e);
            }
        }
    }

    private String counted() {
        return device.counters().stream()
                .filter(c -> c.value() != 0)
                .map(c -> c.name() + "=" + c.value())
                .collect(Collectors.joining(", "));
    }

    private Map<String, Long> openCounters() {
        Map<String, Long> open = new HashMap<>();
        for (Counter counter : device.counters()) {
            if (counter.name().startsWith("open.")) {
                open.put(counter.name(), counter.value());
            }
        }
        return open;
    }

    /** Closes this with the side, before what came earlier. */
    <T extends AutoCloseable> T closeLater(T opened) {
        toClose.push(opened);
        return opened;
    }

    /** From now on the test itself closes this. */
    void forget(AutoCloseable closedByTest) {
        toClose.removeIf(c -> c == closedByTest);
    }

    /** Closes the service under all that is open; what its devices count afterwards does not matter. */
    void closeService() {
        serviceClosed = true;
        service.close();
    }

    /** Closes what was opened, last first, and fails if the device still counts some of it as open. */
    void closeAndCheck() throws Exception {
        while (!toClose.isEmpty()) {
            toClose.pop().close();
        }
        if (serviceClosed) {
            return;
        }
        assertEquals(baseline, openCounters(), name + ": open after all was closed");
    }

    /** Closes the service with whatever is still open, which must not hang. */
    @Override
    public void close() {
        service.close();
        arena.close();
    }
}
