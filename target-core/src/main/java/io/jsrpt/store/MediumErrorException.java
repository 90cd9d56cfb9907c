package io.jsrpt.store;

import java.io.IOException;
import java.io.Serial;

/**
 * An operation that failed at a known place. Any other failure of an operation makes the device server report a medium
 * error at the operation's first block; this one names the block.
 */
public final class MediumErrorException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final long offset;

    /** A failure at a byte of the store. */
    public MediumErrorException(String message, long offset, Throwable cause) {
        super(message, cause);
        this.offset = offset;
    }

    /** The first byte that could not be read or written, from the store's beginning. */
    public long offset() {
        return offset;
    }
}
