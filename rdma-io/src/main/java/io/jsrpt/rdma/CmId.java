package io.jsrpt.rdma;

import java.util.OptionalInt;

/**
 * The connection manager's handle of one connection or one listener ({@code rdma_cm_id}). It has one owner at each
 * instant, who alone calls its methods and destroys it, once; see the ownership rule in the design. Its methods return
 * without waiting for the peer: what becomes of the connection is told by {@link CmEvent}s.
 */
public interface CmId {
    /** A number for logs, unique within the service for its life. */
    long number();

    /** The device that the connection goes through. */
    RdmaDevice device();

    /** This side's port, named by the GID in use. */
    Gid local();

    /** The peer's port; for a listener the zero GID. */
    Gid remote();

    /** The service that was asked for, or is listened to. */
    ServiceId service();

    /** The peer's queue pair number, once the peer has said it. */
    OptionalInt remoteQueuePair();

    /**
     * Creates the connection's queue pair, in the state INIT: receives can be posted before the connection is accepted.
     * The connection manager moves it on; whoever created it closes it, before the id is destroyed.
     */
    QueuePair createQueuePair(QueuePairSpec spec) throws RdmaException;

    /**
     * Passive side: accepts (REP). The queue pair is ready to receive when the peer hears of it. The parameters are
     * capped by what the request offers.
     *
     * @param privateData at most 196 bytes
     */
    void accept(ConnectionParameters parameters, byte[] privateData) throws RdmaException;

    /**
     * Passive side: rejects (REJ).
     *
     * @param reason a reason of IBTA volume 1, 12.6.7.2, for example {@link CmEvent.Rejected#CONSUMER_DEFINED}
     * @param privateData at most 148 bytes
     */
    void reject(int reason, byte[] privateData) throws RdmaException;

    /**
     * Active side: asks for the connection (REQ). With a service id of the RDMA/CM port space the CMA header is put
     * before the private data.
     *
     * @param privateData at most 92 bytes, 56 in the RDMA/CM port space
     */
    void connect(ConnectionParameters parameters, byte[] privateData) throws RdmaException;

    /**
     * Ends the connection in order: sends a DREQ, or answers the peer's with a DREP. The queue pair goes to error.
     * Idempotent; without effect on an id that is not connected.
     */
    void disconnect();

    /**
     * Destroys the id: the owner's last call. No event of it comes after. On a connection that is still being set up
     * the peer gets a reject, on one that is connected a DREQ.
     *
     * @throws IllegalStateException when it was destroyed before
     */
    void destroy();
}
