package io.jsrpt.srp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class SrpCommandTest {
    private final SrpCommand command = new SrpCommand();

    private SrpCommand captured(String name) {
        MemorySegment unit = Captured.segment(name);
        command.wrap(unit, 0, (int) unit.byteSize());
        assertEquals(UnitProblem.NONE, command.validate());
        return command;
    }

    @Test
    void decodesAnInquiryOfLinux() {
        captured("command-inquiry");
        assertEquals(0x1800_0100_0000_0000L, command.tag());
        assertEquals(0, command.lun());
        assertEquals(SrpCommand.SIMPLE, command.taskAttribute());
        assertEquals(BufferFormats.NONE, command.dataOutFormat());
        assertEquals(BufferFormats.DIRECT, command.dataInFormat());
        assertEquals(0x12, command.memory().get(ValueLayout.JAVA_BYTE, command.cdbOffset()));
        assertEquals(16, command.cdbLength());
        assertEquals(48, command.descriptorOffset());
        assertFalse(command.solicitedResponse());
    }

    @Test
    void encodesAReadAsLinuxDoes() {
        byte[] expected = Captured.bytes("command-read-4096");
        byte[] made = new byte[expected.length];
        MemorySegment memory = MemorySegment.ofArray(made);
        captured("command-read-4096");
        DataDescriptors data = new DataDescriptors(4);
        assertEquals(UnitProblem.NONE, data.parse(command, 68));
        assertEquals(4096, data.in().total());
        long tag = command.tag();
        new SrpCommand().wrap(memory, 0, made.length).encode(tag, 0, SrpCommand.SIMPLE, 0)
                .buffers(BufferFormats.NONE, 0, BufferFormats.DIRECT, command.dataInCount());
        MemorySegment.copy(MemorySegment.ofArray(expected), command.cdbOffset(), memory, 32, 16);
        SrpCommand.putDescriptor(memory, 48, data.in().address(0), data.in().rkey(0), data.in().length(0));
        assertArrayEquals(expected, made);
    }

    @Test
    void additionalCdbMovesTheDescriptors() {
        MemorySegment memory = MemorySegment.ofArray(new byte[400]);
        command.wrap(memory, 8, 300).encode(1, 2, SrpCommand.ORDERED, 252);
        assertEquals(UnitProblem.NONE, command.validate());
        assertEquals(268, command.cdbLength());
        assertEquals(300, command.descriptorOffset());
        assertEquals(UnitProblem.TOO_SHORT, command.wrap(memory, 8, 299).validate());
        // The two low bits of the field are reserved.
        memory.set(ValueLayout.JAVA_BYTE, 8 + 31, (byte) 0x13);
        assertEquals(32, command.cdbLength());
        assertThrows(IllegalArgumentException.class, () -> command.encode(1, 2, 0, 3));
    }

    @Test
    void shortOrForeignUnitsAreFound() {
        MemorySegment memory = MemorySegment.ofArray(new byte[64]);
        assertEquals(UnitProblem.TOO_SHORT, command.wrap(memory, 0, 47).validate());
        assertEquals(UnitProblem.TOO_SHORT, command.wrap(memory, 0, 0).validate());
        assertEquals(UnitProblem.WRONG_OPCODE, command.wrap(memory, 0, 48).validate());
        assertEquals(-1, SrpOpcode.of(memory, 0, 0));
        assertEquals(0, SrpOpcode.of(memory, 0, 1));
    }

    /** A format that SRP does not define is an error, not a command without data (a quirk of ib_srpt). */
    @Test
    void unknownBufferFormatsAreFound() {
        MemorySegment memory = MemorySegment.ofArray(new byte[64]);
        command.wrap(memory, 0, 64).encode(1, 0, 0, 0);
        for (int out = 0; out < 16; out++) {
            for (int in = 0; in < 16; in++) {
                command.buffers(out, 0, in, 0);
                boolean known = out <= 3 && in <= 2;
                assertEquals(known ? UnitProblem.NONE : UnitProblem.UNKNOWN_BUFFER_FORMAT, command.validate());
            }
        }
    }

    @Test
    void decodesTheTaskManagementOfLinux() {
        MemorySegment unit = Captured.segment("task-management-lun-reset");
        TaskManagement reset = new TaskManagement().wrap(unit, 0, 48);
        assertEquals(UnitProblem.NONE, reset.validate());
        assertEquals(TaskManagement.LOGICAL_UNIT_RESET, reset.function());
        assertEquals(0, reset.lun());
        assertEquals(0x0100_0080_0000_0000L, reset.tag());
        byte[] made = new byte[48];
        new TaskManagement().wrap(MemorySegment.ofArray(made), 0, 48)
                .encode(reset.tag(), 0, TaskManagement.LOGICAL_UNIT_RESET, reset.taskTag());
        assertArrayEquals(Captured.bytes("task-management-lun-reset"), made);
        assertEquals(UnitProblem.TOO_SHORT, reset.wrap(unit, 0, 47).validate());
        assertEquals(UnitProblem.WRONG_OPCODE, reset.wrap(Captured.segment("command-inquiry"), 0, 64).validate());
    }
}
