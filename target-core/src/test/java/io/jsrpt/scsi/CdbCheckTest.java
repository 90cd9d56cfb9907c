package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jsrpt.store.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the device server refuses before a command does anything. */
class CdbCheckTest {
    private final Initiator initiator = Units.one();

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "refused-cdbs.csv", delimiter = '|')
    void refused(String what, String cdb, String sense) {
        Initiator.Answer answer = initiator.send(Units.LUN_0, cdb, 4096);
        assertEquals(sense.replace(" ", ""), answer.senseHex(), what);
        assertEquals(4096, answer.residual());
        assertEquals(0, answer.data().length);
    }

    @Test
    void bytesAfterTheCommandAreIgnored() {
        initiator.send(Units.LUN_0, "00 00 00 00 00 00 FF FF FF FF FF FF FF FF FF FF").good();
        initiator.send(Units.LUN_0, "28 00 00000000 00 0000 00 FF FF FF FF FF FF").good();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 9})
    void shortCdb(int length) {
        byte[] read = Initiator.bytes("28 00 00000000 00 0001 00");
        var answer = initiator.send(Units.LUN_0, read, length, TaskAttribute.SIMPLE, 512, Initiator.NOTHING);
        assertEquals("5/0E/03", answer.condition());
    }

    @Test
    void longCdb() {
        byte[] read = Initiator.bytes("28 00 00000000 00 0001 00");
        initiator.send(Units.LUN_0, read, 260, TaskAttribute.SIMPLE, 512, Initiator.NOTHING).good();
    }

    @Test
    void exactlySixBytes() {
        byte[] read = Initiator.bytes("08 00 00 00 01 00");
        assertEquals(512, initiator.send(Units.LUN_0, read, 6, TaskAttribute.SIMPLE, 512, Initiator.NOTHING)
            .good().data().length);
    }

    /** SAM-5: there is no ACA condition that such a command could end. */
    @Test
    void acaAttribute() {
        var answer = initiator.send(Units.LUN_0, new byte[6], 16, TaskAttribute.ACA, 0, Initiator.NOTHING);
        assertEquals("5/49/00", answer.condition());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2A 00 00000000 00 0001 00", "0A 00 00 00 01 00", "AA 00 00000000 00000001 00 00",
        "8A 00 0000000000000000 00000001 00 00", "2A 00 00001000 00 0001 00"})
    void writeProtected(String cdb) {
        MemoryStore store = new MemoryStore(1 << 20, Units.BLOCK);
        LogicalUnit unit = new LogicalUnit(Units.IDENTITY, store, Units.settings().withWriteProtected(true));
        assertEquals("7/27/00", Units.initiator(unit).write(Units.LUN_0, cdb, new byte[512]).condition());
        assertEquals(0, store.allocated());
    }

    @Test
    void transferLongerThanTheMaximum() {
        LogicalUnit unit = new LogicalUnit(Units.IDENTITY, new MemoryStore(1 << 20, Units.BLOCK),
            Units.settings().withMaxTransferBlocks(8));
        Initiator limited = Units.initiator(unit);
        assertEquals(4096, limited.send(Units.LUN_0, "28 00 00000000 00 0008 00", 8192).good().data().length);
        String pointer = "70000500000000" + "0A00000000" + "240000";
        assertEquals(pointer + "CF0004", limited.send(Units.LUN_0, "08 00 00 00 09 00", 8192).senseHex());
        assertEquals(pointer + "CF0007", limited.send(Units.LUN_0, "28 00 00000000 00 0009 00", 8192).senseHex());
        assertEquals(pointer + "CF0006",
            limited.write(Units.LUN_0, "AA 00 00000000 00000009 00 00", new byte[8192]).senseHex());
        assertEquals(pointer + "CF000A",
            limited.send(Units.LUN_0, "8F 00 0000000000000000 00000009 00 00", 0).senseHex());
    }
}
