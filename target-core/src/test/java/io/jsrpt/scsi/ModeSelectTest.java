package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.store.MemoryStore;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MODE SELECT: what it changes for whom, and what it refuses. */
class ModeSelectTest {
    private static final String CACHE_OFF = "08 12 00 00 000000000000000000000000 00000000";
    private static final String CONTROL = "0A 0A 02 10 00 00 0000 FFFF 0000";
    private static final String D_SENSE = "0A 0A 06 10 00 00 0000 FFFF 0000";
    private static final String SWP = "0A 0A 02 10 08 00 0000 FFFF 0000";
    private static final Nexus OTHER = new Nexus(7, 7, 3, 4);

    private final ScriptedStore store = new ScriptedStore();
    private final LogicalUnit unit = Units.over(store);
    private final DeviceServer server = new DeviceServer(Map.of(0, unit));
    private final Initiator initiator = new Initiator(server);
    private final Initiator other = new Initiator(server, OTHER);

    @BeforeEach
    void attach() {
        unit.attach(initiator.nexus());
        unit.attach(OTHER);
        initiator.send(0, "00");
        other.send(0, "00");
        store.calls.clear();
    }

    private Initiator.Answer select(String pages) {
        byte[] list = Initiator.bytes("00000000" + pages.replace(" ", ""));
        return initiator.write(0, String.format("15 10 00 00 %02X 00", list.length), list);
    }

    @Test
    void theWriteCacheOff() {
        select(CACHE_OFF).good();
        assertEquals("flush", store.calls.getFirst());
        initiator.write(0, "2A 00 00000000 00 0001 00", new byte[512]).good();
        assertTrue(store.calls.contains("write 0 512 forced"), store.calls.toString());
        assertEquals("0812000000", initiator.send(0, "1A 08 08 00 FF 00", 255).good().hex().substring(8, 18));
        assertEquals("0812040000", initiator.send(0, "1A 08 88 00 FF 00", 255).good().hex().substring(8, 18));
        select("08 12 04 00 000000000000000000000000 00000000").good();
        store.calls.clear();
        initiator.write(0, "2A 00 00000000 00 0001 00", new byte[512]).good();
        assertTrue(store.calls.contains("write 0 512"), store.calls.toString());
    }

    @Test
    void descriptorFormatSense() {
        select(D_SENSE).good();
        other.send(0, "00");
        byte[] cdb = Initiator.bytes("88 00 0000000000001000 00000001 00 00");
        byte[] sense = other.send(0, cdb, 16, TaskAttribute.SIMPLE, 512, Initiator.NOTHING).sense();
        assertArrayEquals(Initiator.bytes("72 05 21 00 00 00 00 0C 00 0A 80 00 0000000000001000"), sense);
        select(CONTROL).good();
        assertEquals("5/20/00", initiator.send(0, "C0").condition());
    }

    @Test
    void softwareWriteProtection() {
        select(SWP).good();
        assertEquals("7/27/00", initiator.write(0, "2A 00 00000000 00 0001 00", new byte[512]).condition());
        assertEquals("7/27/00", initiator.write(0, "41 00 00000000 00 0001 00", new byte[512]).condition());
        initiator.send(0, "28 00 00000000 00 0001 00", 512).good();
        assertEquals("90", initiator.send(0, "1A 08 0A 00 FF 00", 255).good().hex().substring(4, 6));
        select(CONTROL).good();
        initiator.write(0, "2A 00 00000000 00 0001 00", new byte[512]).good();
    }

    @Test
    void othersAreTold() {
        select(CONTROL).good();
        other.send(0, "00").good();
        select(D_SENSE + CACHE_OFF).good();
        byte[] sense = other.send(0, Initiator.bytes("00"), 16, TaskAttribute.SIMPLE, 0, Initiator.NOTHING).sense();
        assertArrayEquals(Initiator.bytes("72 06 2A 01 00000000"), sense);
        other.send(0, "00").good();
        initiator.send(0, "00").good();
    }

    @Test
    void aResetBringsTheDefaultsBack() {
        select(SWP + CACHE_OFF).good();
        unit.reset();
        assertEquals("6/29/03", initiator.send(0, "00").condition());
        assertEquals("1204", initiator.send(0, "1A 08 08 00 FF 00", 255).good().hex().substring(10, 14));
        initiator.write(0, "2A 00 00000000 00 0001 00", new byte[512]).good();
    }

    @Test
    void tenByteFormWithBlockDescriptors() {
        String header = "0000 00 00 00 00 0008 00001000 00000200";
        byte[] list = Initiator.bytes(header + D_SENSE);
        initiator.write(0, String.format("55 10 00000000 00 %04X 00", list.length), list).good();
        list = Initiator.bytes("0000 00 00 01 00 0010 0000000000001000 00000000 00000200" + CONTROL);
        initiator.write(0, String.format("55 10 00000000 00 %04X 00", list.length), list).good();
        list = Initiator.bytes("0000 00 00 01 00 0010 0000000000000000 00000000 00000200");
        initiator.write(0, String.format("55 10 00000000 00 %04X 00", list.length), list).good();
    }

    /** The list, its sense, and the field that is pointed at; nothing of it is taken. */
    @ParameterizedTest
    @CsvSource({
        "00 01 00 00,                                      5/26/00, 8F0001",
        "00 00 00 09 0000000000,                           5/1A/00, 000000",
        "00 00 00 04 00000000,                             5/26/00, 8F0003",
        "00 00 00 08 00000999 00000200,                    5/26/00, 8F0004",
        "00 00 00 08 00001000 00001000,                    5/26/00, 8F0008",
        "00 00 00 00 0A,                                   5/1A/00, 000000",
        "00 00 00 00 0A 0A 06 10,                          5/1A/00, 000000",
        "00 00 00 00 0A 09 06 10 00 00 0000 FFFF 00,       5/26/00, 8F0005",
        "00 00 00 00 05 0A 06 10 00 00 0000 FFFF 0000,     5/26/00, 8D0004",
        "00 00 00 00 0A 0A 06 10 00 00 0000 FFFE 0000,     5/26/00, 88000D",
        "00 00 00 00 0A 0A 06 30 00 00 0000 FFFF 0000,     5/26/00, 8D0007",
        "00 00 00 00 0A 0A 06 10 08 00 0000 FFFF 0000 0812, 5/1A/00, 000000"})
    void refused(String list, String condition, String specifics) {
        byte[] data = Initiator.bytes(list);
        Initiator.Answer answer = initiator.write(0, String.format("15 10 00 00 %02X 00", data.length), data);
        assertEquals(condition, answer.condition());
        assertTrue(answer.senseHex().endsWith(specifics), answer.senseHex());
        assertEquals(ModeParameters.defaults(unit.settings()), unit.modes());
    }

    @Test
    void whatWasGivenCanBeSentBack() {
        String all = initiator.send(0, "1A 08 3F FF FF 00", 255).good().hex();
        select(all.substring(8)).good();
        other.send(0, "00").good();
    }

    @Test
    void buffer() {
        initiator.write(0, "3B 02 00 00FFFD 000003 00", Initiator.bytes("010203")).good();
        assertEquals("000102", other.send(0, "3C 02 00 00FFFC 000003 00", 3).good().hex());
        initiator.send(0, "3B 02 00 000000 000000 00").good();
    }

    @Test
    void diagnostics() {
        initiator.send(0, "1D 04 00 0000 00").good();
        assertEquals("flush", store.calls.getFirst());
        initiator.write(0, "1D 10 00 0004 00", new byte[4]).good();
        initiator.send(0, "1D 10 00 0000 00").good();
        assertEquals("5/26/00", initiator.write(0, "1D 10 00 0004 00", Initiator.bytes("40000000")).condition());
        store.failing(0, new IOException("gone"));
        assertEquals("4/3E/03", initiator.send(0, "1D 04 00 0000 00").condition());
    }

    @Test
    void counters() {
        initiator.write(0, "2A 00 00000000 00 0003 00", new byte[1536]).good();
        initiator.send(0, "28 00 00000000 00 0002 00", 1024).good();
        initiator.send(0, "1B 01 00 00 00 00").good();
        initiator.send(0, "1B 01 00 00 01 00").good();
        store.failing(0, new IOException("gone"));
        initiator.send(0, "28 00 00000000 00 0001 00", 512);
        assertEquals("0000000000000600" + "00060008" + "0000000000000000", counters("42"));
        assertEquals("0000000000000600" + "00060008" + "0000000000000001", counters("43"));
        assertEquals("00040304" + "00000001", initiator.send(0, "4D 00 4E 00 00 0004 1000 00", 255).hex().substring(8));
    }

    private String counters(String page) {
        return initiator.send(0, "4D 00 " + page + " 00 00 0000 1000 00", 255).good().hex().substring(16);
    }

    @Test
    void aStoreThatGrows() {
        long[] blocks = {0x1000};
        MemoryStore big = new MemoryStore(0x2000 * 512L, 512);
        LogicalUnit growing = Units.over(new GrowingStore(big, blocks));
        DeviceServer both = new DeviceServer(Map.of(0, growing));
        Initiator one = new Initiator(both);
        Initiator two = new Initiator(both, OTHER);
        growing.attach(one.nexus());
        growing.attach(OTHER);
        one.send(0, "00");
        two.send(0, "00");
        assertEquals("5/21/00", one.send(0, "28 00 00001FFF 00 0001 00", 512).condition());
        blocks[0] = 0x2000;
        assertEquals("00001FFF00000200", one.send(0, "25", 8).good().hex());
        one.send(0, "28 00 00001FFF 00 0001 00", 512).good();
        assertEquals("6/2A/09", two.send(0, "28 00 00001FFF 00 0001 00", 512).condition());
        two.send(0, "28 00 00001FFF 00 0001 00", 512).good();
        blocks[0] = 0x1800;
        assertEquals("00001FFF00000200", one.send(0, "25", 8).good().hex());
        assertEquals(false, growing.refreshCapacity());
        blocks[0] = 0x2001;
        assertEquals(true, growing.refreshCapacity());
        assertEquals("6/2A/09", one.send(0, "00").condition());
    }
}
