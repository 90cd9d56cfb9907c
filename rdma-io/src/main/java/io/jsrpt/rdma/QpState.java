package io.jsrpt.rdma;

/** Queue pair states (IBTA volume 1, 10.3.1); SQD is not used, since nothing here drains a send queue in place. */
public enum QpState {
    RESET,
    /** Receives may be posted. */
    INIT,
    /** Ready to receive: answers the peer's requests. */
    RTR,
    /** Ready to send. */
    RTS,
    /** The send queue stopped on an error of its own; receives go on. */
    SQE,
    /** Everything outstanding is flushed. */
    ERROR
}
