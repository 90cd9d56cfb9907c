package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.store.MemoryStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameter data byte for byte, and the rules of the allocation length. */
class ParameterDataTest {
    private final LogicalUnit unit = Units.over(new MemoryStore((long) Units.BLOCKS * Units.BLOCK, Units.BLOCK));
    private final Initiator initiator = Units.initiator(unit);

    /** The unit has 1000h blocks of 512 bytes, settings as they come, LUN 0; room is as much as any command needs. */
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "parameter-data.csv", delimiter = '|', maxCharsPerColumn = 8192)
    void golden(String what, String cdb, String data) {
        assertEquals(data.replace(" ", ""), initiator.send(Units.LUN_0, cdb, 65_536).good().hex(), what);
    }

    /** What is cut by the allocation length leaves no residual; what is cut by the buffer is an overflow. */
    @ParameterizedTest
    @CsvSource({"0, 100, 0, 100", "4, 4, 4, 0", "5, 100, 5, 95", "96, 96, 96, 0", "255, 255, 96, 159",
        "96, 10, 10, -86", "4, 0, 0, -4"})
    void allocationLength(int allocation, int room, int length, long residual) {
        String cdb = String.format("12 00 00 00 %02X 00", allocation);
        Initiator.Answer answer = initiator.send(Units.LUN_0, cdb, room).good();
        assertEquals(length, answer.data().length);
        assertEquals(residual, answer.residual());
        assertEquals(initiator.send(Units.LUN_0, "12 00 00 00 60 00", 96).hex().substring(0, 2 * length), answer.hex());
    }

    @ParameterizedTest
    @ValueSource(strings = {"A0 00 00 00 00 00 FF FF FF FF", "9E 10 0000000000000000 FFFFFFFF",
        "A3 0C 00 00 0000 FFFFFFFF"})
    void allocationLengthOf32Bits(String cdb) {
        Initiator.Answer answer = initiator.send(Units.LUN_0, cdb, 0x1_0000_0000L).good();
        assertEquals(0x1_0000_0000L - answer.data().length, answer.residual());
    }

    @Test
    void allOperationCodes() {
        StringBuilder plain = new StringBuilder();
        StringBuilder timed = new StringBuilder();
        for (Command command : CommandTable.ALL) {
            if (command.offeredBy(unit)) {
                boolean action = command.serviceAction() != Command.NO_SERVICE_ACTION;
                String codes = String.format("%02X00%04X00", command.operationCode(),
                    Math.max(0, command.serviceAction()));
                plain.append(String.format("%s%02X%04X", codes, action ? 1 : 0, command.cdbLength()));
                timed.append(String.format("%s%02X%04X", codes, action ? 3 : 2, command.cdbLength()))
                    .append("000A00000000000000000000");
            }
        }
        assertEquals(String.format("%08X%s", plain.length() / 2, plain),
            initiator.send(Units.LUN_0, "A3 0C 00 00 0000 00001000 00 00", 4096).good().hex());
        assertEquals(String.format("%08X%s", timed.length() / 2, timed),
            initiator.send(Units.LUN_0, "A3 0C 80 00 0000 00001000 00 00", 4096).good().hex());
    }

    @Test
    void timestamp() {
        long before = System.currentTimeMillis();
        String data = initiator.send(Units.LUN_0, "A3 0F 00 00 0000 00001000 00 00", 4096).good().hex();
        long after = System.currentTimeMillis();
        assertEquals("000A0300", data.substring(0, 8));
        long told = Long.parseLong(data.substring(8, 20), 16);
        assertTrue(before <= told && told <= after, data);
        assertEquals("0000", data.substring(20));
    }

    @Test
    void identityAndSettingsShow() {
        LogicalUnitIdentity identity = new LogicalUnitIdentity("ACME 567", "A DISK OF 16 CHR", "9.99",
            "SN 0123456789", "6001405AABBCCDDEEFF0011223344556");
        LogicalUnit unit = new LogicalUnit(identity, new MemoryStore(3L << 41, 4096), new LogicalUnitSettings(0x8000,
            0x4000, 0x80, 3, 0x1C20, false, true, 0x1234, 0x5678));
        Initiator other = Units.initiator(unit);
        String inquiry = other.send(Units.LUN_0, "12 00 00 00 60 00", 96).good().hex();
        assertEquals("41434D45203536374120" + "4449534B204F4620313620434852" + "392E3939", inquiry.substring(16, 72));
        assertEquals("0080000D534E2030313233343536373839",
            other.send(Units.LUN_0, "12 01 80 00 FF 00", 255).good().hex());
        assertEquals("00830079" + "01030010" + "6001405AABBCCDDEEFF0011223344556" + "02010025" + "41434D4520353637"
                + "41204449534B204F4620313620434852" + "534E2030313233343536373839" + "41940004" + "00001234"
                + "41950004" + "00005678"
                + "43980028" + "6575692E" + "30".repeat(15) + "33" + "30".repeat(15) + "34" + "00000000",
            other.send(Units.LUN_0, "12 01 83 00 FF 00", 255).good().hex());
        assertEquals("00B0003C" + "01FF0080" + "00008000" + "00004000",
            other.send(Units.LUN_0, "12 01 B0 00 10 00", 255).good().hex());
        assertEquals("00B1003C1C20", other.send(Units.LUN_0, "12 01 B1 00 06 00", 255).good().hex());
        assertEquals("000000005FFFFFFF" + "00001000" + "0003C000",
            other.send(Units.LUN_0, "9E 10 0000000000000000 00000010", 255).good().hex());
        assertEquals("1F009008" + "60000000" + "00001000" + "0812000000000000",
            other.send(Units.LUN_0, "1A 00 08 00 14 00", 255).good().hex());
    }

    @Test
    void capacityThatTheShortFormsCannotSay() {
        LogicalUnit unit = Units.over(new MemoryStore(0x1_0000_0001L * Units.BLOCK, Units.BLOCK));
        Initiator big = Units.initiator(unit);
        assertEquals("FFFFFFFF00000200", big.send(Units.LUN_0, "25", 8).good().hex());
        assertEquals("000000010000000000000200", big.send(Units.LUN_0, "9E 10 0000000000000000 0000000C", 12).hex());
        assertEquals("FFFFFFFF00000200", big.send(Units.LUN_0, "1A 00 08 00 FF 00", 255).hex().substring(8, 24));
        assertEquals("0000000100000001" + "00000000" + "00000200",
            big.send(Units.LUN_0, "5A 10 08 00 000000 00FF 00", 255).hex().substring(16, 48));
        LogicalUnit edge = Units.over(new MemoryStore(0x1_0000_0000L * Units.BLOCK, Units.BLOCK));
        assertEquals("FFFFFFFF00000200", Units.initiator(edge).send(Units.LUN_0, "25", 8).good().hex());
    }

    @Test
    void reportLunsOfSeveral() {
        LogicalUnit unit = Units.over(new MemoryStore(1 << 20, Units.BLOCK));
        Initiator several = new Initiator(new DeviceServer(Map.of(256, unit, 3, unit, 0x3FFF, unit)));
        String list = "00000018" + "00000000" + "0003000000000000" + "4100000000000000" + "7FFF000000000000";
        for (long lun : new long[] {Lun.encode(3), Lun.encode(0), Lun.REPORT_LUNS_FORM, -1}) {
            assertEquals(list, several.send(lun, "A0 00 00 00 00 00 00 00 10 00", 4096).good().hex());
            assertEquals("00000008" + "00000000" + "C101000000000000",
                several.send(lun, "A0 00 01 00 00 00 00 00 10 00", 4096).good().hex());
            assertEquals("00000020" + list.substring(8) + "C101000000000000",
                several.send(lun, "A0 00 02 00 00 00 00 00 10 00", 4096).good().hex());
        }
        several.send(Lun.encode(256), "00").good();
        several.send(0x4003_0000_0000_0000L, "00").good();
    }
}
