package io.jsrpt.conf;

import java.io.Serial;

/** The target could not be started, for a reason that a line tells. */
final class StartException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    StartException(String message) {
        super(message);
    }

    StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
