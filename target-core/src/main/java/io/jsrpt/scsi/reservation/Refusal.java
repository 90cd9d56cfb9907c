package io.jsrpt.scsi.reservation;

/**
 * Why a PERSISTENT RESERVE OUT is refused; nothing has changed then.
 *
 * @param field the offset of the wrong field, where the reason is a field
 * @param bit the field's leftmost bit in its first byte
 */
public record Refusal(Reason reason, int field, int bit) {
    static final Refusal CONFLICT = new Refusal(Reason.CONFLICT, 0, 0);
    static final Refusal LENGTH = new Refusal(Reason.PARAMETER_LIST_LENGTH, 0, 0);
    static final Refusal INVALID_RELEASE = new Refusal(Reason.INVALID_RELEASE, 0, 0);
    static final Refusal NO_ROOM = new Refusal(Reason.NO_ROOM, 0, 0);

    /** The kinds of refusals. */
    public enum Reason {
        /** RESERVATION CONFLICT. */
        CONFLICT,
        /** A field of the CDB cannot be as it is. */
        CDB_FIELD,
        /** A field of the parameter list cannot be as it is. */
        PARAMETER_FIELD,
        /** The parameter list has a wrong length. */
        PARAMETER_LIST_LENGTH,
        /** A release with another scope or type than the reservation has. */
        INVALID_RELEASE,
        /** Too many registrations. */
        NO_ROOM
    }

    static Refusal cdb(int field, int bit) {
        return new Refusal(Reason.CDB_FIELD, field, bit);
    }

    static Refusal parameter(int field, int bit) {
        return new Refusal(Reason.PARAMETER_FIELD, field, bit);
    }
}
