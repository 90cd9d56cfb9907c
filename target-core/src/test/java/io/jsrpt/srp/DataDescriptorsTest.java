package io.jsrpt.srp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DataDescriptorsTest {
    private static final int UNIT_BYTES = 8276;
    private final MemorySegment unit = MemorySegment.ofArray(new byte[UNIT_BYTES + 8]);
    private final SrpCommand command = new SrpCommand();
    private final DataDescriptors data = new DataDescriptors(2048);

    private UnitProblem parse(int length, int immediateOffset) {
        command.wrap(unit, 8, length);
        assertEquals(UnitProblem.NONE, command.validate());
        return data.parse(command, immediateOffset);
    }

    private void begin(int out, int outCount, int in, int inCount) {
        command.wrap(unit, 8, UNIT_BYTES).encode(7, 0, 0, 0).buffers(out, outCount, in, inCount);
    }

    /** Writes an indirect descriptor and its partial table; returns the length of the unit. */
    private int indirect(int at, int tableEntries, int inUnit, long total, int entryBytes) {
        SrpCommand.putDescriptor(unit, 8L + at, 0x1000, 5, tableEntries * 16L);
        Wire.put32(unit, 8L + at + 16, total);
        for (int i = 0; i < inUnit; i++) {
            SrpCommand.putDescriptor(unit, 8L + at + 20 + i * 16L, 0x10_0000L * (i + 1), i, entryBytes);
        }
        return at + 20 + inUnit * 16;
    }

    @Test
    void commandWithoutDataHasNone() {
        begin(0, 0, 0, 0);
        assertEquals(UnitProblem.NONE, parse(48, 68));
        assertEquals(0, data.in().total() + data.out().total());
        assertEquals(0, data.in().count() + data.out().count());
    }

    @Test
    void directAndImmediateWritesOfLinux() {
        MemorySegment direct = Captured.segment("command-write-direct-49152");
        assertEquals(UnitProblem.NONE, data.parse(command.wrap(direct, 0, 64), 68));
        assertEquals(49152, data.out().total());
        assertEquals(1, data.out().count());
        assertEquals(0xff11_0000_06e2_c000L, data.out().address(0));
        assertEquals(0x344, data.out().rkey(0));
        assertEquals(0, data.in().count());
        MemorySegment immediate = Captured.segment("command-write-immediate-4096");
        assertEquals(UnitProblem.NONE, data.parse(command.wrap(immediate, 0, 4164), 68));
        assertTrue(data.out().isImmediate());
        assertEquals(68, data.out().immediateOffset());
        assertEquals(4096, data.out().total());
        assertEquals(0, data.out().count());
        // The same object serves the next command.
        assertEquals(UnitProblem.NONE, data.parse(command.wrap(direct, 0, 64), 68));
        assertFalse(data.out().isImmediate());
    }

    @Test
    void wholeTableInTheUnit() {
        begin(0, 0, BufferFormats.INDIRECT, 12);
        int length = indirect(48, 12, 12, 12 * 4096, 4096);
        assertEquals(UnitProblem.NONE, parse(length, 0));
        assertFalse(data.in().tableNeeded());
        assertEquals(12, data.in().count());
        assertEquals(12 * 4096, data.in().total());
        assertEquals(0xc0_0000L, data.in().address(11));
        assertEquals(11, data.in().rkey(11));
        assertEquals(UnitProblem.DESCRIPTORS_OUTSIDE_UNIT, parse(length - 1, 0));
        assertEquals(UnitProblem.DESCRIPTORS_OUTSIDE_UNIT, parse(48 + 19, 0));
        assertEquals(UnitProblem.DESCRIPTORS_OUTSIDE_UNIT, parse(48, 0));
    }

    @Test
    void countInTheOtherDirectionsFieldIsTaken() {
        begin(BufferFormats.INDIRECT, 0, 0, 3);
        assertEquals(UnitProblem.NONE, parse(indirect(48, 3, 3, 300, 100), 0));
        assertFalse(data.out().tableNeeded());
        assertEquals(3, data.out().count());
    }

    @Test
    void externalTableIsReportedAndThenParsed() {
        begin(0, 0, BufferFormats.INDIRECT, 1);
        assertEquals(UnitProblem.NONE, parse(indirect(48, 2048, 1, 2048L * 512, 512), 0));
        assertTrue(data.in().tableNeeded());
        assertEquals(0x1000, data.in().tableAddress());
        assertEquals(5, data.in().tableRkey());
        assertEquals(32768, data.in().tableLength());
        MemorySegment table = MemorySegment.ofArray(new byte[32768]);
        for (int i = 0; i < 2048; i++) {
            SrpCommand.putDescriptor(table, i * 16L, i * 4096L, 9, 512);
        }
        assertEquals(UnitProblem.BAD_TABLE_LENGTH, data.in().completeFromTable(table, 0, 32752));
        assertEquals(UnitProblem.NONE, data.in().completeFromTable(table, 0, 32768));
        assertEquals(2048, data.in().count());
        assertEquals(2048 * 512, data.in().total());
        assertEquals(UnitProblem.BAD_TABLE_LENGTH, data.in().completeFromTable(table, 0, 32768));
    }

    @Test
    void tableIsBoundedByTheCapacity() {
        begin(0, 0, BufferFormats.INDIRECT, 0);
        assertEquals(UnitProblem.TOO_MANY_DESCRIPTORS, parse(indirect(48, 2049, 0, 0, 0), 0));
        SrpCommand.putDescriptor(unit, 8 + 48, 0, 0, 0xffff_fff0L);
        assertEquals(UnitProblem.TOO_MANY_DESCRIPTORS, parse(68, 0));
        SrpCommand.putDescriptor(unit, 8 + 48, 0, 0, 17);
        assertEquals(UnitProblem.BAD_TABLE_LENGTH, parse(68, 0));
        SrpCommand.putDescriptor(unit, 8 + 48, -16, 0, 32);
        assertEquals(UnitProblem.BAD_ADDRESS, parse(68, 0));
    }

    /** Report 30 (scatter lists over 128 refused), and counters of eight bits that wrap after 255. */
    @Test
    void moreThan255DescriptorsDoNotWrap() {
        begin(BufferFormats.INDIRECT, 255, 0, 255);
        assertEquals(UnitProblem.NONE, parse(indirect(48, 510, 510, 510 * 512, 512), 0));
        assertFalse(data.out().tableNeeded());
        assertEquals(510, data.out().count());
        assertEquals(510 * 512, data.out().total());
    }

    @Test
    void totalIsCheckedAgainstTheDescriptors() {
        begin(0, 0, BufferFormats.INDIRECT, 4);
        assertEquals(UnitProblem.BAD_TOTAL_LENGTH, parse(indirect(48, 4, 4, 401, 100), 0));
        assertEquals(UnitProblem.NONE, parse(indirect(48, 4, 4, 150, 100), 0));
        assertEquals(2, data.in().count());
        assertEquals(50, data.in().length(1));
        assertEquals(150, data.in().total());
        assertEquals(UnitProblem.NONE, parse(indirect(48, 4, 4, 0, 100), 0));
        assertEquals(0, data.in().count());
    }

    @Test
    void totalsAreSumsOf64Bits() {
        begin(0, 0, BufferFormats.INDIRECT, 2);
        assertEquals(UnitProblem.NONE, parse(indirect(48, 2, 2, 0xffff_ffffL, -1), 0));
        assertEquals(0xffff_ffffL, data.in().total());
        assertEquals(1, data.in().count());
        begin(0, 0, BufferFormats.DIRECT, 1);
        SrpCommand.putDescriptor(unit, 8 + 48, 0x10, 3, 0xffff_ffffL);
        assertEquals(UnitProblem.NONE, parse(64, 0));
        assertEquals(0xffff_ffffL, data.in().length(0));
    }

    @Test
    void bufferMustNotWrapAroundTheAddressSpace() {
        begin(0, 0, BufferFormats.DIRECT, 1);
        SrpCommand.putDescriptor(unit, 8 + 48, -512, 3, 513);
        assertEquals(UnitProblem.BAD_ADDRESS, parse(64, 0));
        SrpCommand.putDescriptor(unit, 8 + 48, -512, 3, 512);
        assertEquals(UnitProblem.NONE, parse(64, 0));
        SrpCommand.putDescriptor(unit, 8 + 48, -1, 3, 0);
        assertEquals(UnitProblem.NONE, parse(64, 0));
        assertEquals(0, data.in().count());
    }

    /** Report 1 (immediate length 0xffffffff passes a bounds check of 32 bits). */
    @Test
    void immediateDataMustLieInTheUnit() {
        begin(BufferFormats.IMMEDIATE, 0, 0, 0);
        Wire.put32(unit, 8 + 48, 0xffff_ffffL);
        assertEquals(UnitProblem.IMMEDIATE_DATA_OUTSIDE_UNIT, parse(UNIT_BYTES, 68));
        Wire.put32(unit, 8 + 48, 513);
        assertEquals(UnitProblem.IMMEDIATE_DATA_OUTSIDE_UNIT, parse(68 + 512, 68));
        Wire.put32(unit, 8 + 48, 512);
        assertEquals(UnitProblem.NONE, parse(68 + 512, 68));
        assertEquals(UnitProblem.NONE, parse(52 + 512, 52));
        assertEquals(UnitProblem.IMMEDIATE_DATA_OUTSIDE_UNIT, parse(68 + 512, 51));
        assertEquals(UnitProblem.DESCRIPTORS_OUTSIDE_UNIT, parse(51, 68));
        assertEquals(UnitProblem.IMMEDIATE_DATA_NOT_NEGOTIATED, parse(68 + 512, 0));
    }

    @Test
    void bothDirectionsHaveTheirOwnDescriptors() {
        begin(BufferFormats.INDIRECT, 2, BufferFormats.DIRECT, 1);
        int length = indirect(48, 2, 2, 200, 100);
        SrpCommand.putDescriptor(unit, 8L + length, 0x77_0000, 7, 4096);
        assertEquals(UnitProblem.NONE, parse(length + 16, 0));
        assertTrue(DataDescriptors.bidirectional(command));
        assertEquals(200, data.out().total());
        assertEquals(0x77_0000, data.in().address(0));
        assertEquals(UnitProblem.DESCRIPTORS_OUTSIDE_UNIT, parse(length + 15, 0));
        // With two directions the counts are not added up.
        begin(BufferFormats.INDIRECT, 1, BufferFormats.INDIRECT, 1);
        indirect(48 + 36, 1, 1, 100, 100);
        length = indirect(48, 2, 1, 200, 100);
        assertEquals(UnitProblem.NONE, parse(length + 36, 0));
        assertTrue(data.out().tableNeeded());
        assertFalse(data.in().tableNeeded());
    }

    /** Report 2 (work counted for a command that failed): a second parse knows nothing of one that failed. */
    @Test
    void failedParseLeavesNothingBehind() {
        begin(0, 0, BufferFormats.INDIRECT, 4);
        assertEquals(UnitProblem.BAD_TOTAL_LENGTH, parse(indirect(48, 4, 4, 401, 100), 0));
        begin(0, 0, 0, 0);
        assertEquals(UnitProblem.NONE, parse(48, 0));
        assertEquals(0, data.in().count());
        assertEquals(0, data.in().total());
    }

    @Test
    void randomUnitsNeverThrow() {
        Random random = new Random(20);
        byte[] bytes = new byte[512];
        MemorySegment table = MemorySegment.ofArray(new byte[2048 * 16]);
        int good = 0;
        for (int i = 0; i < 200_000; i++) {
            int length = random.nextInt(300);
            random.nextBytes(bytes);
            bytes[0] = SrpOpcode.CMD;
            bytes[5] &= 0x33;
            bytes[31] &= 0x1f;
            if (random.nextBoolean()) {
                Arrays.fill(bytes, 48, 80, (byte) 0);
                bytes[63] = (byte) random.nextInt();
                bytes[67] = (byte) random.nextInt();
            }
            MemorySegment memory = MemorySegment.ofArray(bytes).asSlice(0, length);
            command.wrap(memory, 0, length);
            if (command.validate() == UnitProblem.NONE && data.parse(command, 68) == UnitProblem.NONE) {
                good++;
                check(data.in(), table);
                check(data.out(), table);
            }
        }
        assertTrue(good > 1000, "units that parse: " + good);
    }

    private static void check(BufferDescriptors buffer, MemorySegment table) {
        if (buffer.tableNeeded() && buffer.completeFromTable(table, 0, buffer.tableLength()) != UnitProblem.NONE) {
            return;
        }
        long sum = 0;
        for (int i = 0; i < buffer.count(); i++) {
            assertTrue(buffer.length(i) > 0);
            sum += buffer.length(i);
        }
        assertTrue(buffer.isImmediate() || sum == buffer.total());
    }
}
