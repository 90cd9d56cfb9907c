package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/** SRP_I_LOGOUT (SRP r16a, 6.8): the initiator is about to end the channel. */
public final class InitiatorLogout {
    /** Length of the unit. */
    public static final int BYTES = ShortUnit.BYTES;

    private InitiatorLogout() {}

    /** Initiator: writes the unit. */
    public static void encode(MemorySegment memory, long offset, long tag) {
        ShortUnit.encode(memory, offset, SrpOpcode.I_LOGOUT, false, 0, tag);
    }

    /** Target: checks a received unit. */
    public static UnitProblem validate(MemorySegment memory, long offset, int length) {
        return ShortUnit.validate(memory, offset, length, SrpOpcode.I_LOGOUT);
    }

    /** Its tag. */
    public static long tag(MemorySegment memory, long offset) {
        return Wire.i64(memory, offset + 8);
    }
}
