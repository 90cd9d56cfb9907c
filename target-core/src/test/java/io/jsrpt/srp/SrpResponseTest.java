package io.jsrpt.srp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SrpResponseTest {
    private final byte[] bytes = new byte[300];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private final SrpResponse response = new SrpResponse();

    private SrpResponse begin(int capacity) {
        Arrays.fill(bytes, (byte) 0x5a);
        return response.wrap(memory, 0, capacity);
    }

    private byte[] made() {
        return Arrays.copyOf(bytes, response.length());
    }

    private static SrpResponse captured(String name) {
        MemorySegment unit = Captured.segment(name);
        SrpResponse response = new SrpResponse().wrap(unit, 0, (int) unit.byteSize());
        assertEquals(UnitProblem.NONE, response.validate());
        return response;
    }

    @Test
    void goodResponseIsThatOfTheKernel() {
        begin(256).command(0x1800_0100_0000_0000L, 1, 0).dataIn(36, 36);
        assertArrayEquals(Captured.bytes("response-good"), made());
    }

    /** Report 3 (the initiator never saw residuals). */
    @Test
    void underflowIsThatOfTheKernel() {
        String name = "response-data-in-underflow-4080";
        begin(256).command(captured(name).tag(), 1, 0).dataIn(16, 4096);
        assertArrayEquals(Captured.bytes(name), made());
        assertEquals(4080, captured(name).dataInResidual());
        assertEquals(0, captured(name).dataOutResidual());
    }

    @Test
    void senseIsThatOfTheKernel() {
        String name = "response-check-condition-sense-96";
        SrpResponse captured = captured(name);
        assertEquals(2, captured.status());
        assertEquals(96, captured.senseLength());
        assertEquals(36, captured.senseOffset());
        MemorySegment unit = Captured.segment(name);
        begin(256).command(captured.tag(), 1, 2).sense(unit, 36, 96);
        assertArrayEquals(Captured.bytes(name), made());
    }

    @Test
    void taskManagementResponseIsThatOfTheKernel() {
        String name = "response-task-management-complete";
        SrpResponse captured = captured(name);
        assertEquals(TaskManagement.COMPLETE, captured.taskManagementCode());
        begin(256).taskManagement(captured.tag(), 1, TaskManagement.COMPLETE);
        assertArrayEquals(Captured.bytes(name), made());
        begin(256).taskManagement(1, 1, TaskManagement.FAILED);
        assertEquals(40, response.length());
        assertEquals(TaskManagement.FAILED, response.taskManagementCode());
        assertEquals(-1, captured("response-good").taskManagementCode());
    }

    @Test
    void residualsOfBothDirections() {
        begin(256).command(1, 3, 0).dataOut(512, 100).dataIn(10, 1L << 40).solicited();
        assertEquals(UnitProblem.NONE, response.validate());
        assertEquals(-412, response.dataOutResidual());
        assertEquals(0xffff_ffffL, response.dataInResidual());
        assertEquals(3, response.requestLimitDelta());
        assertTrue(response.isSolicited());
        begin(256).command(1, 1, 0).dataOut(100, 512).dataIn(512, 100);
        assertEquals(412, response.dataOutResidual());
        assertEquals(-412, response.dataInResidual());
        assertFalse(response.isSolicited());
    }

    /** Report 17 (reads out of bounds on a bad response): lengths always agree with the bytes sent. */
    @Test
    void senseIsCutToTheAllowedLength() {
        MemorySegment sense = MemorySegment.ofArray(new byte[252]);
        for (int capacity = LoginLimits.MIN_IU_LENGTH; capacity <= 256; capacity += 13) {
            for (int length : new int[] {0, 18, 96, 252}) {
                begin(capacity).command(9, 1, 2).sense(sense, 0, length);
                assertEquals(Math.min(capacity, 36 + length), response.length());
                assertEquals(response.length() - 36, response.senseLength());
                SrpResponse received = new SrpResponse().wrap(memory, 0, response.length());
                assertEquals(UnitProblem.NONE, received.validate());
                assertEquals(0x5a, bytes[response.length()], "nothing is written behind the unit");
            }
        }
    }

    @Test
    void badResponsesAreFound() {
        MemorySegment unit = Captured.segment("response-check-condition-sense-96");
        assertEquals(UnitProblem.TOO_SHORT, response.wrap(unit, 0, 131).validate());
        assertEquals(UnitProblem.TOO_SHORT, response.wrap(unit, 0, 35).validate());
        Wire.put32(unit, 28, 0xffff_ffffL);
        assertEquals(UnitProblem.TOO_SHORT, response.wrap(unit, 0, 132).validate());
        Wire.put8(unit, 0, SrpOpcode.CMD);
        assertEquals(UnitProblem.WRONG_OPCODE, response.wrap(unit, 0, 132).validate());
    }

    @Test
    void randomUnitsNeverThrow() {
        Random random = new Random(3);
        int good = 0;
        for (int i = 0; i < 200_000; i++) {
            random.nextBytes(bytes);
            int length = random.nextInt(bytes.length);
            bytes[0] = (byte) SrpOpcode.RSP;
            if (random.nextBoolean()) {
                Arrays.fill(bytes, 28, 35, (byte) 0);
            }
            MemorySegment slice = memory.asSlice(0, length);
            if (response.wrap(slice, 0, length).validate() == UnitProblem.NONE) {
                good++;
                assertTrue(response.senseOffset() + response.senseLength() <= length);
                assertTrue(response.taskManagementCode() < 256);
            }
        }
        assertTrue(good > 1000, "units that parse: " + good);
    }
}
