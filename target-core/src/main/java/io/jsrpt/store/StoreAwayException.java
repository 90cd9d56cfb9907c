package io.jsrpt.store;

import java.io.IOException;
import java.io.Serial;

/**
 * A store that is not there for now: its medium is gone, or it is closed. As a failure of an operation it makes
 * the device server say that the unit is not ready.
 */
public final class StoreAwayException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    public StoreAwayException(String message) {
        super(message);
    }

    public StoreAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
