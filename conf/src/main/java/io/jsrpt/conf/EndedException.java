package io.jsrpt.conf;

import java.io.Serial;

/** A target that ran has ended without having been told to. */
final class EndedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    EndedException(String message) {
        super(message);
    }
}
