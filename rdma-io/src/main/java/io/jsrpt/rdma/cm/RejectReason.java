package io.jsrpt.rdma.cm;

/** Reasons of a REJ that the engine itself gives (IBTA volume 1, 12.6.7.2). */
final class RejectReason {
    static final int NO_RESOURCES = 3;
    static final int TIMEOUT = 4;
    static final int INVALID_COMM_ID = 6;
    static final int INVALID_SERVICE_ID = 8;
    static final int INVALID_TRANSPORT_TYPE = 9;
    static final int STALE_CONNECTION = 10;
    static final int INVALID_GID = 12;
    static final int INVALID_PATH_MTU = 26;
    static final int CONSUMER_DEFINED = 28;

    private RejectReason() {}
}
