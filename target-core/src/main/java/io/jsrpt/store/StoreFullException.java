package io.jsrpt.store;

import java.io.IOException;
import java.io.Serial;

/**
 * A thin store whose medium has no space left for a write. As a failure of an operation it makes the device server
 * say so, and not that the medium is broken.
 */
public final class StoreFullException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    public StoreFullException(String message) {
        super(message);
    }

    public StoreFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
