package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/** SRP_AER_RSP (SRP r16a, 6.15): the answer to {@link EventRequest}; it costs the initiator no credit. */
public final class EventResponse {
    /** Length of the unit. */
    public static final int BYTES = ShortUnit.BYTES;

    private EventResponse() {}

    /** Initiator: writes the unit. */
    public static void encode(MemorySegment memory, long offset, long tag) {
        ShortUnit.encode(memory, offset, SrpOpcode.AER_RSP, false, 0, tag);
    }

    /** Target: checks a received unit. */
    public static UnitProblem validate(MemorySegment memory, long offset, int length) {
        return ShortUnit.validate(memory, offset, length, SrpOpcode.AER_RSP);
    }

    /** The tag of the request. */
    public static long tag(MemorySegment memory, long offset) {
        return Wire.i64(memory, offset + 8);
    }
}
