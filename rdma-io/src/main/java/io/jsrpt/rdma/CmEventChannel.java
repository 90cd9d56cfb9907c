package io.jsrpt.rdma;

import java.util.Optional;

/** Where a device's connection-manager events arrive, in order ({@code rdma_event_channel}). */
public interface CmEventChannel extends AutoCloseable {
    /**
     * Listens for connection requests. The id that comes back is the listener: destroying it ends the listening.
     *
     * @throws RdmaException when the service id is taken on this device
     */
    CmId listen(ServiceId service) throws RdmaException;

    /**
     * Makes an id for a connection to a peer; {@link CmId#createQueuePair} and {@link CmId#connect} follow.
     *
     * @param remote the peer's port
     */
    CmId createId(Gid remote, ServiceId service) throws RdmaException;

    /**
     * Takes the oldest event; it is acknowledged to the provider by this call. Events of an id that was destroyed do
     * not come any more, except those that were taken before.
     */
    Optional<CmEvent> poll();

    /**
     * Asks for one notification at the next event, or at once if one is waiting.
     *
     * @param notification called from a provider's thread, or from within this call
     */
    void arm(Runnable notification);

    /** Ends listening, destroys the ids that no one has destroyed, and drops events. Idempotent. */
    @Override
    void close();
}
