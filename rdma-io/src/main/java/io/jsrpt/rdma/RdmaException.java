package io.jsrpt.rdma;

import java.io.Serial;

/** A fault of this side's RDMA resources: an address that cannot be bound, a full queue, a closed device. */
public final class RdmaException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    public RdmaException(String message) {
        super(message);
    }

    public RdmaException(String message, Throwable cause) {
        super(message, cause);
    }
}
