package io.jsrpt.scsi;

/**
 * What an initiator must be told of a logical unit before its next command, because something happened that was not its
 * own doing (SAM-5 5.14, SPC-4 annex D).
 */
public enum UnitAttention {
    /** The I_T nexus is new to the unit. */
    POWER_ON_OR_RESET(SenseCondition.POWER_ON_RESET_OR_BUS_DEVICE_RESET_OCCURRED),
    /** A LOGICAL UNIT RESET was performed. */
    RESET(SenseCondition.BUS_DEVICE_RESET_FUNCTION_OCCURRED),
    /** A MODE SELECT of another nexus changed what MODE SENSE tells. */
    MODE_PARAMETERS_CHANGED(SenseCondition.MODE_PARAMETERS_CHANGED),
    /** Another nexus took the persistent reservation, or cleared it with all registrations. */
    RESERVATIONS_PREEMPTED(SenseCondition.RESERVATIONS_PREEMPTED),
    /** A persistent reservation that a registered nexus had a part in was released. */
    RESERVATIONS_RELEASED(SenseCondition.RESERVATIONS_RELEASED),
    /** Another nexus removed this one's registration. */
    REGISTRATIONS_PREEMPTED(SenseCondition.REGISTRATIONS_PREEMPTED),
    /** READ CAPACITY tells another size than before. */
    CAPACITY_DATA_CHANGED(SenseCondition.CAPACITY_DATA_HAS_CHANGED),
    /** Another nexus's task management function aborted commands of this one. */
    COMMANDS_CLEARED(SenseCondition.COMMANDS_CLEARED_BY_ANOTHER_INITIATOR),
    /** INQUIRY tells something else than before. */
    INQUIRY_DATA_CHANGED(SenseCondition.INQUIRY_DATA_HAS_CHANGED),
    /** REPORT LUNS tells something else than before; a REPORT LUNS clears it. */
    REPORTED_LUNS_CHANGED(SenseCondition.REPORTED_LUNS_DATA_HAS_CHANGED);

    final SenseCondition sense;

    UnitAttention(SenseCondition sense) {
        this.sense = sense;
    }

    /** Whether it says that anything may have changed, so that what was to be told before need not be told. */
    boolean supersedes() {
        return this == POWER_ON_OR_RESET || this == RESET;
    }
}
