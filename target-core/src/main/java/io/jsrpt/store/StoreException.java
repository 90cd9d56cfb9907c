package io.jsrpt.store;

import java.io.IOException;
import java.io.Serial;

/** A store that cannot be opened, with the reason in a line for the operator. */
public final class StoreException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
