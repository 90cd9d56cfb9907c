package io.jsrpt.store;

import java.io.IOException;
import java.io.Serial;

/**
 * A store that has more operations waiting than it can hold; the operation was not begun. As a failure of an
 * operation it makes the device server ask the initiator to try again later, instead of reporting a medium error.
 */
public final class StoreBusyException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    public StoreBusyException(String message) {
        super(message);
    }
}
