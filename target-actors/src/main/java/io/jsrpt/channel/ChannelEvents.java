package io.jsrpt.channel;

/** What a channel's data path tells its owner. */
public interface ChannelEvents {
    /**
     * Asks the owner to call {@link ChannelIo#poll} soon. Called from a provider's thread or a store's thread, or from
     * within {@code poll} when work is left over; must only pass a message on. Between two calls of {@code poll} it is
     * called at most once.
     */
    void wakeUp();

    /**
     * A task management function concerns tasks of other channels too: ABORT TASK SET (those of the nexus), CLEAR TASK
     * SET and LOGICAL UNIT RESET (those of all nexuses). This channel's own tasks were aborted already. Called by the
     * owner's thread from within {@code poll}; it must be answered, once, with
     * {@link ChannelIo#completeTaskManagement}, at once or later.
     */
    void taskManagement(TaskManagementRequest request);

    /**
     * A command failed in its store; the initiator sees a medium error. Called by the owner's thread.
     *
     * @param lun the 8 bytes of the LUN, as a big-endian integer
     * @param cause for the log
     */
    void storeFailed(long lun, Throwable cause);
}
