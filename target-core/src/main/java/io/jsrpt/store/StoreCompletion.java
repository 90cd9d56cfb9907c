package io.jsrpt.store;

/** Told, once, how a store operation ended; must not block. */
public interface StoreCompletion {
    /** The whole operation was done. */
    void completed();

    /**
     * The operation failed; how much of it was done is not known.
     *
     * @param cause for the log; the initiator sees a medium error
     */
    void failed(Throwable cause);
}
