package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/** SRP_T_LOGOUT (SRP r16a, 6.9): the target is about to end the channel. */
public final class TargetLogout {
    /** Length of the unit. */
    public static final int BYTES = ShortUnit.BYTES;

    /** Reason code: none specified. */
    public static final int NO_REASON = 0;

    private TargetLogout() {}

    /**
     * Target: writes the unit.
     *
     * @param solicited marks it as solicited (SOLNT), if the login asked for that
     * @param reason for example {@link #NO_REASON}
     */
    public static void encode(MemorySegment memory, long offset, boolean solicited, int reason, long tag) {
        ShortUnit.encode(memory, offset, SrpOpcode.T_LOGOUT, solicited, reason, tag);
    }

    /** Initiator: checks a received unit. */
    public static UnitProblem validate(MemorySegment memory, long offset, int length) {
        return ShortUnit.validate(memory, offset, length, SrpOpcode.T_LOGOUT);
    }

    /** The reason code. */
    public static int reason(MemorySegment memory, long offset) {
        return Wire.i32(memory, offset + 4);
    }

    /** Its tag. */
    public static long tag(MemorySegment memory, long offset) {
        return Wire.i64(memory, offset + 8);
    }
}
