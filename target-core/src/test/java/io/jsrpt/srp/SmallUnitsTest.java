package io.jsrpt.srp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Logout, credit and event units. */
class SmallUnitsTest {
    private static final long TAG = 0x8899_aabb_ccdd_eeffL;
    private final MemorySegment memory = MemorySegment.ofArray(new byte[80]);

    private interface Check {
        UnitProblem validate(MemorySegment memory, long offset, int length);
    }

    private void assertUnit(int opcode, int length, Check check) {
        assertEquals(opcode, SrpOpcode.of(memory, 4, length));
        assertEquals(UnitProblem.NONE, check.validate(memory, 4, length));
        assertEquals(UnitProblem.TOO_SHORT, check.validate(memory, 4, length - 1));
        assertEquals(UnitProblem.TOO_SHORT, check.validate(memory, 4, 0));
        Wire.put8(memory, 4, 0x7f);
        assertEquals(UnitProblem.WRONG_OPCODE, check.validate(memory, 4, length));
        memory.fill((byte) 0xff);
    }

    @Test
    void logouts() {
        InitiatorLogout.encode(memory, 4, TAG);
        assertEquals(TAG, InitiatorLogout.tag(memory, 4));
        assertUnit(0x03, 16, InitiatorLogout::validate);
        TargetLogout.encode(memory, 4, true, 1, TAG);
        assertEquals(1, Wire.u8(memory, 5));
        assertEquals(1, TargetLogout.reason(memory, 4));
        assertEquals(TAG, TargetLogout.tag(memory, 4));
        assertUnit(0x80, 16, TargetLogout::validate);
    }

    @Test
    void credits() {
        CreditRequest.encode(memory, 4, false, 17, TAG);
        assertEquals(17, CreditRequest.requestLimitDelta(memory, 4));
        assertEquals(0, Wire.u8(memory, 5));
        assertEquals(TAG, CreditRequest.tag(memory, 4));
        assertUnit(0x81, 16, CreditRequest::validate);
        CreditResponse.encode(memory, 4, TAG);
        assertEquals(TAG, CreditResponse.tag(memory, 4));
        assertEquals(0, Wire.u32(memory, 8));
        assertUnit(0x41, 16, CreditResponse::validate);
    }

    @Test
    void events() {
        MemorySegment sense = MemorySegment.ofArray(new byte[18]);
        assertEquals(54, EventRequest.encode(memory, 4, 64, true, 2, TAG, 1L << 48, sense));
        assertEquals(18, EventRequest.senseLength(memory, 4));
        assertEquals(1L << 48, EventRequest.lun(memory, 4));
        assertEquals(2, EventRequest.requestLimitDelta(memory, 4));
        assertEquals(TAG, EventRequest.tag(memory, 4));
        assertUnit(0x82, 54, EventRequest::validate);
        assertEquals(40, EventRequest.encode(memory, 4, 40, false, 2, TAG, 0, sense));
        assertUnit(0x82, 40, EventRequest::validate);
        EventResponse.encode(memory, 4, TAG);
        assertEquals(TAG, EventResponse.tag(memory, 4));
        assertUnit(0x42, 16, EventResponse::validate);
    }
}
