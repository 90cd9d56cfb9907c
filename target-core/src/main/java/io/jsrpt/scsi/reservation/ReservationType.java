package io.jsrpt.scsi.reservation;

import java.util.Arrays;
import java.util.Optional;

/** The types of persistent reservations (SPC-4 6.13.3.4). */
public enum ReservationType {
    WRITE_EXCLUSIVE(1),
    EXCLUSIVE_ACCESS(3),
    WRITE_EXCLUSIVE_REGISTRANTS_ONLY(5),
    EXCLUSIVE_ACCESS_REGISTRANTS_ONLY(6),
    WRITE_EXCLUSIVE_ALL_REGISTRANTS(7),
    EXCLUSIVE_ACCESS_ALL_REGISTRANTS(8);

    private final int code;

    ReservationType(int code) {
        this.code = code;
    }

    /** The code of the TYPE field. */
    public int code() {
        return code;
    }

    /** The type with this code, if there is one. */
    public static Optional<ReservationType> of(int code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    /** Whether those without access may not even read. */
    public boolean excludesReaders() {
        return this == EXCLUSIVE_ACCESS || this == EXCLUSIVE_ACCESS_REGISTRANTS_ONLY
            || this == EXCLUSIVE_ACCESS_ALL_REGISTRANTS;
    }

    /** Whether every registered nexus has access, not only the holder. */
    public boolean admitsRegistrants() {
        return code >= 5;
    }

    /** Whether every registered nexus is a holder. */
    public boolean heldByAll() {
        return code >= 7;
    }
}
