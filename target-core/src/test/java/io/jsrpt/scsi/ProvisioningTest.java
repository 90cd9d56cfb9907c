package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.store.MemoryStore;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WRITE SAME, UNMAP, GET LBA STATUS, COMPARE AND WRITE and ORWRITE: what they change, and what they refuse. */
class ProvisioningTest {
    /** 1000h blocks of 512 bytes, the first 10h of them hold 61h. */
    private final MemoryStore store = new MemoryStore((long) Units.BLOCKS * Units.BLOCK, Units.BLOCK);
    private final Initiator thin = Units.initiator(Units.over(store));
    private final ScriptedStore scripted = new ScriptedStore();
    private final Initiator full = Units.initiator(Units.over(scripted));

    @BeforeEach
    void fill() {
        thin.write(0, "2A 00 00000000 00 0010 00", filled(0x10, 'a')).good();
    }

    private static byte[] filled(int blocks, int with) {
        byte[] data = new byte[blocks * Units.BLOCK];
        Arrays.fill(data, (byte) with);
        return data;
    }

    private static byte[] read(Initiator from, int first, int blocks) {
        return from.send(0, String.format("28 00 %08X 00 %04X 00", first, blocks), blocks * Units.BLOCK).good().data();
    }

    /** A well-formed UNMAP of the descriptors, each "address blocks" in hexadecimal. */
    private static Initiator.Answer unmap(Initiator at, String... descriptors) {
        StringBuilder list = new StringBuilder();
        for (String descriptor : descriptors) {
            list.append(descriptor).append("00000000");
        }
        byte[] data = Initiator.bytes(String.format("%04X%04X00000000", 6 + 16 * descriptors.length,
            16 * descriptors.length) + list);
        return at.write(0, String.format("42 00 00000000 00 %04X 00", data.length), data);
    }

    @ParameterizedTest
    @ValueSource(strings = {"41 08 00000002 00 0004 00", "41 00 00000002 00 0004 00",
        "93 08 0000000000000002 00000004 00 00", "93 00 0000000000000002 00000004 00 00"})
    void writeSame(String cdb) {
        for (int with : new int[] {0, 'b'}) {
            thin.write(0, cdb, filled(1, with)).good();
            assertArrayEquals(filled(2, 'a'), read(thin, 0, 2));
            assertArrayEquals(filled(4, with), read(thin, 2, 4));
            assertArrayEquals(filled(10, 'a'), read(thin, 6, 10));
        }
    }

    @Test
    void writeSameWithoutData() {
        thin.send(0, "93 01 0000000000000002 00000004 00 00").good();
        assertArrayEquals(filled(4, 0), read(thin, 2, 4));
        assertArrayEquals(filled(10, 'a'), read(thin, 6, 10));
        full.send(0, "93 01 0000000000000002 00000004 00 00").good();
        assertEquals("write 1024 2048", scripted.calls.getFirst());
    }

    /** WSNZ is 1. */
    @Test
    void writeSameOfNoBlocksIsRefused() {
        String pointer = "70000500000000" + "0A00000000" + "240000";
        assertEquals(pointer + "CF0007", thin.write(0, "41 00 00000FF0 00 0000 00", filled(1, 'z')).senseHex());
        assertEquals(pointer + "CF000A",
            thin.write(0, "93 00 0000000000000FF0 00000000 00 00", filled(1, 'z')).senseHex());
        assertArrayEquals(filled(16, 'a'), read(thin, 0, 16));
    }

    /** More or less than a block for the block that is repeated. */
    @Test
    void writeSameWantsOneBlock() {
        String cdb = "41 08 00000000 00 0001 00";
        assertEquals("5/0E/03", thin.write(0, cdb, new byte[256]).condition());
        assertEquals("5/0E/03", thin.write(0, cdb, new byte[1024]).condition());
        assertArrayEquals(filled(1, 'a'), read(thin, 0, 1));
    }

    @Test
    void writeSameLongerThanTheMaximum() {
        Initiator big = Units.initiator(Units.over(new MemoryStore(1L << 40, Units.BLOCK)));
        String pointer = "70000500000000" + "0A00000000" + "240000";
        String cdb = "93 00 0000000000000000 00008001 00 00";
        assertEquals(pointer + "CF000A", big.write(0, cdb, filled(1, 1)).senseHex());
        assertEquals(pointer + "CF0007", big.write(0, "41 00 00000000 00 8001 00", filled(1, 1)).senseHex());
        big.write(0, "93 08 0000000000000000 00008000 00 00", filled(1, 0)).good();
    }

    @Test
    void unmaps() {
        unmap(thin, "0000000000000001 00000002", "0000000000000008 00000001", "0000000000000FFF 00000001").good();
        assertArrayEquals(filled(1, 'a'), read(thin, 0, 1));
        assertArrayEquals(filled(2, 0), read(thin, 1, 2));
        assertArrayEquals(filled(5, 'a'), read(thin, 3, 5));
        assertArrayEquals(filled(1, 0), read(thin, 8, 1));
        assertArrayEquals(filled(7, 'a'), read(thin, 9, 7));
    }

    @Test
    void unmapsOfNothing() {
        thin.send(0, "42 00 00000000 00 0000 00").good();
        unmap(thin).good();
        unmap(thin, "0000000000000001 00000000", "0000000000001000 00000000").good();
        assertArrayEquals(filled(16, 'a'), read(thin, 0, 16));
    }

    /** Nothing is unmapped when one of the descriptors is refused. */
    @Test
    void unmapBeyondTheEnd() {
        Initiator.Answer answer = unmap(thin, "0000000000000001 00000002", "0000000000000FFF 00000002");
        assertEquals("F0000500001000" + "0A00000000" + "210000" + "000000", answer.senseHex());
        assertEquals("5/21/00", unmap(thin, "0000000000000001 00000002", "FFFFFFFFFFFFFFFF 00000002").condition());
        assertArrayEquals(filled(16, 'a'), read(thin, 0, 16));
    }

    @ParameterizedTest
    @CsvSource({"0004, 0000000000000000, 5/1A/00, 000000", "0008, 0006001000000000, 5/1A/00, 000000",
        "0018, 00060010000000000000000000000001, 5/26/00, 8F0000",
        "0018, 00161010000000000000000000000001, 5/1A/00, 000000"})
    void unmapListsThatAreWrong(String length, String list, String condition, String specifics) {
        byte[] data = Arrays.copyOf(Initiator.bytes(list), 24);
        Initiator.Answer answer = thin.write(0, "42 00 00000000 00 " + length + " 00", data);
        assertEquals(condition, answer.condition());
        assertTrue(answer.senseHex().endsWith(specifics), answer.senseHex());
    }

    @Test
    void unmapOfTooMuch() {
        Initiator big = Units.initiator(Units.over(new MemoryStore(1L << 40, Units.BLOCK)));
        unmap(big, "0000000000000000 0003FFFF", "0000000000000000 00000001").good();
        Initiator.Answer answer = unmap(big, "0000000000000000 0003FFFF", "0000000000000000 00000002");
        assertEquals("70000500000000" + "0A00000000" + "260000" + "8F0020", answer.senseHex());
        String[] many = new String[257];
        Arrays.fill(many, "0000000000000000 00000001");
        assertEquals("70000500000000" + "0A00000000" + "260000" + "8F0002", unmap(big, many).senseHex());
        unmap(big, Arrays.copyOf(many, 256)).good();
    }

    @Test
    void aUnitThatIsNotThin() {
        assertEquals("5/20/00", unmap(full, "0000000000000001 00000002").condition());
        assertEquals("5/24/00", full.write(0, "41 08 00000000 00 0001 00", filled(1, 0)).condition());
        assertEquals("5/24/00", full.send(0, "9E 12 0000000000000000 00000018 00 00", 24).condition());
        full.write(0, "41 00 00000000 00 0001 00", filled(1, 'q')).good();
        assertArrayEquals(filled(1, 'q'), read(full, 0, 1));
        assertEquals("00B2000400000000", full.send(0, "12 01 B2 00 FF 00", 255).good().hex());
        assertEquals("00", full.send(0, "9E 10 0000000000000000 00000020 00 00", 32).good().hex().substring(28, 30));
    }

    @Test
    void lbaStatus() {
        Initiator.Answer one = thin.send(0, "9E 12 0000000000000003 00000018 00 00", 24).good();
        assertEquals("00000014" + "00000000" + "0000000000000003" + "000001FD" + "00000000", one.hex());
        Initiator.Answer two = thin.send(0, "9E 12 0000000000000003 00000100 00 00", 256).good();
        assertEquals("00000024" + "00000000" + "0000000000000003" + "000001FD" + "00000000"
            + "0000000000000200" + "00000E00" + "01000000", two.hex());
        assertEquals(256 - 40, two.residual());
        assertEquals("000000", thin.send(0, "9E 12 0000000000000003 00000003 00 00", 256).good().hex());
        assertEquals(0, thin.send(0, "9E 12 0000000000000003 00000000 00 00", 0).good().residual());
        assertEquals("5/21/00", thin.send(0, "9E 12 0000000000001000 00000018 00 00", 24).condition());
        assertEquals("5/21/00", thin.send(0, "9E 12 FFFFFFFFFFFFFFFF 00000018 00 00", 24).condition());
    }

    @Test
    void compareAndWrite() {
        byte[] both = Arrays.copyOf(filled(2, 'a'), 4 * Units.BLOCK);
        thin.write(0, "89 00 0000000000000004 000000 02 00 00", both).good();
        assertArrayEquals(filled(2, 0), read(thin, 4, 2));
        both[700] = 1;
        Initiator.Answer answer = thin.write(0, "89 08 0000000000000006 000000 02 00 00", both);
        assertEquals("F0000E000002BC" + "0A00000000" + "1D0000" + "000000", answer.senseHex());
        assertArrayEquals(filled(2, 'a'), read(thin, 6, 2));
        assertEquals("5/0E/03", thin.write(0, "89 00 0000000000000006 000000 02 00 00", new byte[2047]).condition());
        thin.send(0, "89 00 0000000000000006 000000 00 00 00").good();
        Initiator small = Units.initiator(new LogicalUnit(Units.IDENTITY, store,
            Units.settings().withMaxTransferBlocks(8)));
        assertEquals("70000500000000" + "0A00000000" + "240000" + "CF000D",
            small.write(0, "89 00 0000000000000006 000000 05 00 00", new byte[5120]).senseHex());
    }

    @Test
    void orWrite() {
        thin.write(0, "8B 00 0000000000000001 00000002 00 00", filled(2, 0x83)).good();
        assertArrayEquals(filled(2, 0xE3), read(thin, 1, 2));
        assertArrayEquals(filled(13, 'a'), read(thin, 3, 13));
        byte[] much = filled(0x800, 0x80);
        thin.write(0, "8B 08 0000000000000003 00000800 00 00", much).good();
        assertArrayEquals(filled(13, 0xE1), read(thin, 3, 13));
        assertArrayEquals(filled(0x7F3, 0x80), read(thin, 0x10, 0x7F3));
        assertArrayEquals(filled(1, 0), read(thin, 0x803, 1));
    }
}
