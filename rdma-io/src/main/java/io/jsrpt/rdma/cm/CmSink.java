package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.Gid;

/**
 * What a {@link CmEngine} does to the world. All calls come from within a call of the engine, on its thread. The sink
 * must not call the engine back and must not throw.
 */
public interface CmSink {
    /**
     * Sends a MAD to QP1 of a peer, from QP1, with the Q_Key of QP1 (unreliable datagram).
     *
     * @param peer the peer's port
     * @param mad 256 bytes; not to be changed, and the same array may be sent again later
     */
    void send(Gid peer, byte[] mad);

    /**
     * A request has come to a listener: makes the {@link CmId} for it. The event that hands it over follows at once.
     *
     * @param connection the engine's handle for the new id
     * @param listener the listening id, as given to {@link CmEngine#listen}
     */
    CmId newId(CmConnection connection, CmId listener);

    /**
     * Delivers an event, in order, to the event channel of {@link CmEvent#id}. No event of a connection comes after
     * {@link CmEngine#destroy}.
     */
    void event(CmEvent event);

    /**
     * Moves the connection's local queue pair from INIT to RTR.
     *
     * @return false when it cannot be done, for example because the queue pair is closed; the connection then fails
     */
    boolean readyToReceive(CmConnection connection, ReadyToReceive attributes);

    /**
     * Moves the connection's local queue pair from RTR to RTS.
     *
     * @return false when it cannot be done; the connection then fails
     */
    boolean readyToSend(CmConnection connection, ReadyToSend attributes);

    /** Moves the connection's local queue pair to ERROR; without effect on one that is closed or was moved before. */
    void error(CmConnection connection);
}
