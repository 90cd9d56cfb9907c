package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/** What the units of 16 bytes have in common: opcode at 0, tag at 8. */
final class ShortUnit {
    static final int BYTES = 16;

    private ShortUnit() {}

    static UnitProblem validate(MemorySegment memory, long offset, int length, int opcode) {
        if (length < BYTES) {
            return UnitProblem.TOO_SHORT;
        }
        return Wire.u8(memory, offset) == opcode ? UnitProblem.NONE : UnitProblem.WRONG_OPCODE;
    }

    static void encode(MemorySegment memory, long offset, int opcode, boolean solicited, long word, long tag) {
        Wire.zero(memory, offset, BYTES);
        Wire.put8(memory, offset, opcode);
        Wire.put8(memory, offset + 1, solicited ? 1 : 0);
        Wire.put32(memory, offset + 4, word);
        Wire.put64(memory, offset + 8, tag);
    }
}
