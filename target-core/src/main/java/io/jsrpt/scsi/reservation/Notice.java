package io.jsrpt.scsi.reservation;

/** What a nexus is to be told because another one changed reservations. */
public enum Notice {
    RESERVATIONS_PREEMPTED,
    RESERVATIONS_RELEASED,
    REGISTRATIONS_PREEMPTED
}
