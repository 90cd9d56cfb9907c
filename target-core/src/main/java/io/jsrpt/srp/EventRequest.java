package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/** SRP_AER_REQ (SRP r16a, 6.14): the target reports an asynchronous event of a logical unit. */
public final class EventRequest {
    /** Bytes before the sense data. */
    public static final int FIXED_BYTES = 36;

    private static final int SENSE_LENGTH = 28;

    private EventRequest() {}

    /**
     * Target: writes the unit.
     *
     * @param maxLength the longest unit that the login allows; sense data that do not fit are cut off
     * @param solicited marks it as solicited (SOLNT), if the login asked for that
     * @param requestLimitDelta the credits to add
     * @param lun in SAM's eight-byte form
     * @return bytes of the unit
     */
    public static int encode(
            MemorySegment memory,
            long offset,
            int maxLength,
            boolean solicited,
            int requestLimitDelta,
            long tag,
            long lun,
            MemorySegment sense) {
        int fits = (int) Math.max(0, Math.min(sense.byteSize(), maxLength - FIXED_BYTES));
        Wire.zero(memory, offset, FIXED_BYTES);
        Wire.put8(memory, offset, SrpOpcode.AER_REQ);
        Wire.put8(memory, offset + 1, solicited ? 1 : 0);
        Wire.put32(memory, offset + 4, requestLimitDelta);
        Wire.put64(memory, offset + 8, tag);
        Wire.put64(memory, offset + 20, lun);
        Wire.put32(memory, offset + SENSE_LENGTH, fits);
        MemorySegment.copy(sense, 0, memory, offset + FIXED_BYTES, fits);
        return FIXED_BYTES + fits;
    }

    /** Initiator: checks a received unit. */
    public static UnitProblem validate(MemorySegment memory, long offset, int length) {
        if (length < FIXED_BYTES) {
            return UnitProblem.TOO_SHORT;
        }
        if (Wire.u8(memory, offset) != SrpOpcode.AER_REQ) {
            return UnitProblem.WRONG_OPCODE;
        }
        return FIXED_BYTES + Wire.u32(memory, offset + SENSE_LENGTH) <= length
                ? UnitProblem.NONE
                : UnitProblem.TOO_SHORT;
    }

    /** The credits to add. */
    public static int requestLimitDelta(MemorySegment memory, long offset) {
        return Wire.i32(memory, offset + 4);
    }

    /** Its tag. */
    public static long tag(MemorySegment memory, long offset) {
        return Wire.i64(memory, offset + 8);
    }

    /** The logical unit number, in SAM's eight-byte form. */
    public static long lun(MemorySegment memory, long offset) {
        return Wire.i64(memory, offset + 20);
    }

    /** Bytes of sense data, which begin after the fixed part. */
    public static int senseLength(MemorySegment memory, long offset) {
        return Wire.i32(memory, offset + SENSE_LENGTH);
    }
}
