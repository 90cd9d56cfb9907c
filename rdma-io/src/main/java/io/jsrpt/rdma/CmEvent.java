package io.jsrpt.rdma;

/** What the connection manager tells of an id ({@code rdma_cm_event}). Events are values: they hold copies. */
public sealed interface CmEvent {
    /** The id that the event is about. */
    CmId id();

    /**
     * A peer asks for a connection; {@link #id} is new and now belongs to the one who took this event.
     *
     * @param listener the listening id
     * @param parameters what the peer offers, from its side
     * @param privateData without the CMA header, at most 92 bytes; callers must not change it
     * @param pathMtu what the peer proposes, already capped by this side's port
     * @param partitionKey of the primary path, 0 when there is none
     */
    record ConnectRequest(
            CmId id,
            CmId listener,
            ConnectionParameters parameters,
            byte[] privateData,
            PathMtu pathMtu,
            int partitionKey)
            implements CmEvent {}

    /**
     * The connection stands. Passive side: the RTU came, or data came before it. Active side: the REP came and was
     * answered.
     *
     * @param parameters active side: what the peer accepted
     * @param privateData active side: that of the REP; passive side: that of the RTU, if it came; never changed
     */
    record Established(CmId id, ConnectionParameters parameters, byte[] privateData) implements CmEvent {}

    /**
     * The peer refused: the request (active side), or the reply (passive side).
     *
     * @param reason IBTA volume 1, 12.6.7.2
     * @param privateData at most 148 bytes
     */
    record Rejected(CmId id, int reason, byte[] privateData) implements CmEvent {
        /** No resources. */
        public static final int NO_RESOURCES = 3;

        /** The peer gave up waiting. */
        public static final int TIMEOUT = 4;

        /** No one listens to the service id. */
        public static final int INVALID_SERVICE_ID = 8;

        /** The peer still holds an older connection with the same queue pair. */
        public static final int STALE_CONNECTION = 10;

        /** The consumer's reason is in the private data. */
        public static final int CONSUMER_DEFINED = 28;
    }

    /** The peer did not answer the request or the reply within the retries; the id is of no more use. */
    record Unreachable(CmId id) implements CmEvent {}

    /** The connection could not be set up for a fault of this side, for example a queue pair in a wrong state. */
    record ConnectError(CmId id, String reason) implements CmEvent {}

    /** The connection has ended: the peer's DREQ came, or the answer to ours, or none within the retries. */
    record Disconnected(CmId id) implements CmEvent {}

    /** Time-wait is over; the last event of a connection that stood. */
    record TimewaitExit(CmId id) implements CmEvent {}

    /** The device goes away; the owner must destroy the id. */
    record DeviceRemoved(CmId id) implements CmEvent {}

    /** The address moved to another port; the connection goes on. */
    record AddressChanged(CmId id) implements CmEvent {}
}
