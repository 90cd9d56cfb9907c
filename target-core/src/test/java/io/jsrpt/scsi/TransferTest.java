package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jsrpt.store.MemoryStore;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads, writes and verifies that move data, and their residuals. */
class TransferTest {
    private static final String READ_4_AT_16 = "28 00 00000010 00 0004 00";
    private static final String WRITE_4_AT_16 = "2A 00 00000010 00 0004 00";
    private static final String VERIFY_4_AT_16 = "2F 02 00000010 00 0004 00";

    private final Initiator initiator = Units.one();
    private final byte[] data = new byte[4 * Units.BLOCK];

    TransferTest() {
        new Random(1).nextBytes(data);
    }

    @ParameterizedTest
    @CsvSource({
        "0A 00 00 10 04 00,                      08 00 00 10 04 00",
        "2A 00 00000010 00 0004 00,              28 00 00000010 00 0004 00",
        "2A 18 00000010 1F 0004 00,              28 1E 00000010 1F 0004 00",
        "AA 00 00000010 00000004 00 00,          A8 00 00000010 00000004 00 00",
        "AA 08 00000010 00000004 00 00,          A8 08 00000010 00000004 00 00",
        "8A 00 0000000000000010 00000004 00 00,  88 00 0000000000000010 00000004 00 00",
        "8A 0A 0000000000000010 00000004 00 00,  88 02 0000000000000010 00000004 00 00"})
    void writeThenRead(String write, String read) {
        assertEquals(0, initiator.write(Units.LUN_0, write, data).good().residual());
        Initiator.Answer answer = initiator.send(Units.LUN_0, read, data.length).good();
        assertArrayEquals(data, answer.data());
        assertEquals(0, answer.residual());
        byte[] around = initiator.send(Units.LUN_0, "28 00 0000000F 00 0006 00", 6 * Units.BLOCK).good().data();
        assertArrayEquals(new byte[Units.BLOCK], Arrays.copyOf(around, Units.BLOCK));
        assertArrayEquals(new byte[Units.BLOCK], Arrays.copyOfRange(around, 5 * Units.BLOCK, 6 * Units.BLOCK));
    }

    /** Report 3 (residuals of short reads were never reported). */
    @Test
    void readIntoMoreRoomIsAnUnderflow() {
        Initiator.Answer answer = initiator.send(Units.LUN_0, READ_4_AT_16, data.length + 100).good();
        assertEquals(data.length, answer.data().length);
        assertEquals(100, answer.residual());
        assertEquals(100, answer.dataInResidual());
        assertEquals(0, answer.dataOutResidual());
    }

    @ParameterizedTest
    @CsvSource({"1", "511", "512", "513", "1024", "2047", "2048"})
    void readIntoLessRoomFillsItAndIsAnOverflow(int room) {
        initiator.write(Units.LUN_0, WRITE_4_AT_16, data).good();
        for (String cdb : new String[] {READ_4_AT_16, "28 08 00000010 00 0004 00"}) {
            Initiator.Answer answer = initiator.send(Units.LUN_0, cdb, room).good();
            assertArrayEquals(Arrays.copyOf(data, room), answer.data());
            assertEquals(room - data.length, answer.residual());
        }
    }

    @Test
    void readIntoNoRoom() {
        Initiator.Answer answer = initiator.send(Units.LUN_0, READ_4_AT_16, 0).good();
        assertEquals(0, answer.data().length);
        assertEquals(-data.length, answer.residual());
    }

    @Test
    void readOfNothing() {
        assertEquals(512, initiator.send(Units.LUN_0, "28 00 00000010 00 0000 00", 512).good().residual());
    }

    @Test
    void writeOfNothing() {
        assertEquals(512, initiator.write(Units.LUN_0, "2A 00 00000010 00 0000 00", new byte[512]).good().residual());
    }

    @Test
    void sixByteFormsMean256BlocksByZero() {
        byte[] much = new byte[256 * Units.BLOCK];
        new Random(2).nextBytes(much);
        assertEquals(0, initiator.write(Units.LUN_0, "0A 00 00 20 00 00", much).good().residual());
        assertArrayEquals(much, initiator.send(Units.LUN_0, "08 00 00 20 00 00", much.length).good().data());
    }

    @Test
    void writeWithTooLittleDataWritesNoByte() {
        Initiator.Answer answer = initiator.write(Units.LUN_0, WRITE_4_AT_16, Arrays.copyOf(data, data.length - 1));
        assertEquals("5/0E/03", answer.condition());
        assertEquals(-1, answer.residual());
        assertEquals(-1, answer.dataOutResidual());
        byte[] now = initiator.send(Units.LUN_0, READ_4_AT_16, data.length).good().data();
        assertArrayEquals(new byte[data.length], now);
    }

    @Test
    void writeWithTooMuchDataIsAnUnderflow() {
        Initiator.Answer answer = initiator.write(Units.LUN_0, WRITE_4_AT_16, Arrays.copyOf(data, data.length + 700));
        assertEquals(700, answer.good().residual());
        assertEquals(700, answer.dataOutResidual());
        byte[] now = initiator.send(Units.LUN_0, "28 00 00000010 00 0006 00", 3072).good().data();
        assertArrayEquals(Arrays.copyOf(data, 3072), now);
    }

    /** A bidirectional buffer with a command of one direction: each direction has its own residual. */
    @Test
    void buffersInBothDirections() {
        Initiator.Answer answer = initiator.send(Units.LUN_0, Initiator.bytes(READ_4_AT_16), 16, TaskAttribute.SIMPLE,
            data.length, new byte[300]).good();
        assertEquals(0, answer.residual());
        assertEquals(0, answer.dataInResidual());
        assertEquals(300, answer.dataOutResidual());
    }

    @Test
    void dataForACommandWithout() {
        assertEquals(300, initiator.write(Units.LUN_0, "00", new byte[300]).good().residual());
        assertEquals(300, initiator.send(Units.LUN_0, "00", 300).good().residual());
    }

    @Test
    void verifyWithoutBytes() {
        Initiator.Answer answer = initiator.send(Units.LUN_0, "2F 00 00000010 00 0004 00").good();
        assertEquals(0, answer.residual());
        initiator.send(Units.LUN_0, "2F 00 00000010 00 0000 00").good();
        initiator.send(Units.LUN_0, "AF 10 00000010 00000004 00 00").good();
    }

    @Test
    void verifyOfBytes() {
        initiator.write(Units.LUN_0, WRITE_4_AT_16, data).good();
        initiator.write(Units.LUN_0, VERIFY_4_AT_16, data).good();
        assertEquals("5/0E/03", initiator.write(Units.LUN_0, VERIFY_4_AT_16, new byte[2047]).condition());
        assertEquals(5, initiator.write(Units.LUN_0, VERIFY_4_AT_16, Arrays.copyOf(data, 2053)).good().residual());
        data[2047] ^= 1;
        Initiator.Answer answer = initiator.write(Units.LUN_0, VERIFY_4_AT_16, data);
        assertEquals("E/1D/00", answer.condition());
        assertEquals(0, answer.residual());
    }

    @Test
    void verifyInSteps() {
        MemoryStore store = new MemoryStore(8 << 20, Units.BLOCK);
        Initiator big = Units.initiator(
            new LogicalUnit(Units.IDENTITY, store, Units.settings().withMaxTransferBlocks(0x4000)));
        byte[] much = new byte[8 << 20];
        new Random(3).nextBytes(much);
        big.write(Units.LUN_0, "AA 00 00000000 00004000 00 00", much).good();
        big.write(Units.LUN_0, "AF 02 00000000 00004000 00 00", much).good();
        much[much.length - 1] ^= 1;
        assertEquals("E/1D/00", big.write(Units.LUN_0, "AF 02 00000000 00004000 00 00", much).condition());
        big.send(Units.LUN_0, "AF 00 00000000 00004000 00 00").good();
    }

    /** BYTCHK 3: one block from the initiator, compared to each of the range. */
    @Test
    void verifyOfOneBlockAgainstMany() {
        byte[] block = Arrays.copyOf(data, Units.BLOCK);
        for (int i = 0; i < 4; i++) {
            System.arraycopy(block, 0, data, i * Units.BLOCK, Units.BLOCK);
        }
        initiator.write(Units.LUN_0, WRITE_4_AT_16, data).good();
        String verify = "2F 06 00000010 00 0004 00";
        assertEquals(0, initiator.write(Units.LUN_0, verify, block).good().residual());
        assertEquals("5/0E/03", initiator.write(Units.LUN_0, verify, new byte[511]).condition());
        assertEquals(0, initiator.send(Units.LUN_0, "2F 06 00000010 00 0000 00").good().residual());
        data[3 * Units.BLOCK + 7] ^= 1;
        initiator.write(Units.LUN_0, WRITE_4_AT_16, data).good();
        assertEquals("E/1D/00", initiator.write(Units.LUN_0, verify, block).condition());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2E 02 00000010 00 0004 00", "AE 02 00000010 00000004 00 00",
        "8E 02 0000000000000010 00000004 00 00", "2E 00 00000010 00 0004 00"})
    void writeAndVerify(String cdb) {
        assertEquals(0, initiator.write(Units.LUN_0, cdb, data).good().residual());
        assertArrayEquals(data, initiator.send(Units.LUN_0, READ_4_AT_16, data.length).good().data());
    }

    /** GOOD, not CONDITION MET: nothing says that the blocks are in a cache. */
    @ParameterizedTest
    @ValueSource(strings = {"34 02 00000010 03 0004 00", "34 00 00000FFF 00 0000 00",
        "90 00 0000000000000010 00000FF0 00 00"})
    void preFetch(String cdb) {
        initiator.send(Units.LUN_0, cdb).good();
    }
}
