package io.jsrpt.rdma;

import java.util.List;

/** An RDMA device, the verbs' context. Owner: whoever opened the service. */
public interface RdmaDevice {
    /** A name for people and logs, unique within the service, for example {@code roce0}. */
    String name();

    /** The device's limits and identity. */
    DeviceAttributes attributes();

    /** The device's ports, numbered from 1; a snapshot. */
    List<PortAttributes> ports();

    /** Whether an event channel of this device can listen to a service id of this kind. */
    default boolean listensTo(ServiceId service) {
        return true;
    }

    /** Allocates a protection domain. */
    ProtectionDomain allocateProtectionDomain() throws RdmaException;

    /**
     * Creates a completion queue for at most {@code capacity} completions that have not been polled. A completion that
     * finds it full is a fault of the user, who must size it for all work he posts: the queue overruns, and all its
     * queue pairs go to error.
     *
     * @param notification called from a provider's thread once after each {@link CompletionQueue#arm}
     */
    CompletionQueue createCompletionQueue(int capacity, Runnable notification) throws RdmaException;

    /** Creates a shared receive queue for at most {@code capacity} posted receives. */
    SharedReceiveQueue createSharedReceiveQueue(ProtectionDomain pd, int capacity) throws RdmaException;

    /** Opens an event channel for connections through this device. */
    CmEventChannel createEventChannel() throws RdmaException;

    /** What this device has counted and holds, by name; a snapshot, from any thread. */
    List<Counter> counters();

    /**
     * A named count.
     *
     * @param name dotted lower-case words, for example {@code open.queue-pairs} or {@code rx.bad-icrc}
     * @param value the count since the device was opened, or the number open now for names that begin with {@code open}
     */
    record Counter(String name, long value) {}
}
