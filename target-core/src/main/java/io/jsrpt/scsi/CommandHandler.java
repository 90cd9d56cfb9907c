package io.jsrpt.scsi;

/** The two steps of a command. Stateless: all state is the task's. */
interface CommandHandler {
    /** Checks the CDB, whose reserved bits are known to be zero, and sets up the transfer. */
    ScsiTask.Phase begin(ScsiTask task, DeviceServer server);

    /** Does what is left after {@link #begin}: by itself, hands over the parameter data that begin prepared. */
    default void execute(ScsiTask task) {
        task.finishResponse();
    }

    /** What a failure of the store means for this command. */
    default SenseCondition failure() {
        return SenseCondition.UNRECOVERED_READ_ERROR;
    }

    /** Whether the unit's owner carries the command out, and not the store. */
    default boolean byOwner() {
        return false;
    }

    /** Whether a command with this CDB is allowed whatever is persistently reserved, unlike others of its row. */
    default boolean alwaysAllowed(Cdb cdb) {
        return false;
    }
}
