package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/** SRP_CRED_REQ (SRP r16a, 6.12): the target changes the request limit outside of a response. */
public final class CreditRequest {
    /** Length of the unit. */
    public static final int BYTES = ShortUnit.BYTES;

    private CreditRequest() {}

    /**
     * Target: writes the unit.
     *
     * @param solicited marks it as solicited (SOLNT), if the login asked for that
     * @param requestLimitDelta the credits to add
     */
    public static void encode(
            MemorySegment memory, long offset, boolean solicited, int requestLimitDelta, long tag) {
        ShortUnit.encode(memory, offset, SrpOpcode.CRED_REQ, solicited, requestLimitDelta, tag);
    }

    /** Initiator: checks a received unit. */
    public static UnitProblem validate(MemorySegment memory, long offset, int length) {
        return ShortUnit.validate(memory, offset, length, SrpOpcode.CRED_REQ);
    }

    /** The credits to add. */
    public static int requestLimitDelta(MemorySegment memory, long offset) {
        return Wire.i32(memory, offset + 4);
    }

    /** Its tag. */
    public static long tag(MemorySegment memory, long offset) {
        return Wire.i64(memory, offset + 8);
    }
}
