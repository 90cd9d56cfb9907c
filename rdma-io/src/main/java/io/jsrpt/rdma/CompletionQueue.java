package io.jsrpt.rdma;

/** A completion queue, polled by its owner. */
public interface CompletionQueue extends AutoCloseable {
    /**
     * Takes the oldest completion.
     *
     * @param into filled with it
     * @return false when the queue is empty; {@code into} is then unchanged
     */
    boolean poll(WorkCompletion into);

    /**
     * Asks for one notification at the next completion. The pattern that loses no wake-up: poll until empty, arm, poll
     * until empty once more.
     */
    void arm();

    /** Destroys the queue; its queue pairs must have been closed. Idempotent. */
    @Override
    void close();
}
