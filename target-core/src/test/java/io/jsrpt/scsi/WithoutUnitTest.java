package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jsrpt.store.MemoryStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands to a LUN that names no unit of the map: nothing at all, or the REPORT LUNS well known logical unit. */
class WithoutUnitTest {
    private final Initiator initiator = Units.one();

    @Test
    void inquiry() {
        String nothing = initiator.send(Units.UNKNOWN_LUN, "12 00 00 00 60 00", 96).good().hex();
        assertEquals("7F0006125B000002", nothing.substring(0, 16));
        assertEquals(192, nothing.length());
        String wellKnown = initiator.send(Lun.REPORT_LUNS_FORM, "12 00 00 00 60 00", 96).good().hex();
        assertEquals("1E0006125B000002", wellKnown.substring(0, 16));
    }

    @Test
    void vitalProductData() {
        assertEquals("7F00000100", initiator.send(Units.UNKNOWN_LUN, "12 01 00 00 FF 00", 255).good().hex());
        assertEquals("5/24/00", initiator.send(Units.UNKNOWN_LUN, "12 01 83 00 FF 00", 255).condition());
        assertEquals("1E00000100", initiator.send(Lun.REPORT_LUNS_FORM, "12 01 00 00 FF 00", 255).good().hex());
        assertEquals("5/24/00", initiator.send(Lun.REPORT_LUNS_FORM, "12 01 83 00 FF 00", 255).condition());
    }

    @Test
    void requestSense() {
        assertEquals("700005000000000A00000000250000000000",
            initiator.send(Units.UNKNOWN_LUN, "03 00 00 00 FF 00", 255).good().hex());
        assertEquals("7205250000000000",
            initiator.send(Units.UNKNOWN_LUN, "03 01 00 00 FF 00", 255).good().hex());
        assertEquals("700000000000000A00000000000000000000",
            initiator.send(Lun.REPORT_LUNS_FORM, "03 00 00 00 FF 00", 255).good().hex());
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "28 00 00000000 00 0001 00", "2A 00 00000000 00 0001 00", "25", "1A 00 08 00 FF 00",
        "9E 10 0000000000000000 00000020 00 00", "9E 11", "C0", "35", "1B", "A3 0C 00 00 0000 00001000"})
    void othersAreRefused(String cdb) {
        assertEquals("5/25/00", initiator.send(Units.UNKNOWN_LUN, cdb, 512).condition());
        assertEquals("5/25/00", initiator.send(-1, cdb, 512).condition());
    }

    @ParameterizedTest
    @ValueSource(strings = {"28 00 00000000 00 0001 00", "25", "1A 00 08 00 FF 00", "9E 10", "9E 11", "C0", "35", "1B"})
    void mostAreRefusedByTheWellKnownUnit(String cdb) {
        assertEquals("5/20/00", initiator.send(Lun.REPORT_LUNS_FORM, cdb, 512).condition());
    }

    @Test
    void theWellKnownUnitIsReady() {
        initiator.send(Lun.REPORT_LUNS_FORM, "00").good();
    }

    @Test
    void withoutAnyUnit() {
        Initiator empty = new Initiator(new DeviceServer(Map.of()));
        assertEquals("0000000000000000", empty.send(0, "A0 00 00 00 00 00 00 00 10 00", 4096).good().hex());
        assertEquals("7F", empty.send(0, "12 00 00 00 60 00", 96).good().hex().substring(0, 2));
        assertEquals("5/25/00", empty.send(0, "00").condition());
    }

    @Test
    void holesInTheMap() {
        LogicalUnit unit = Units.over(new MemoryStore(1 << 20, Units.BLOCK));
        Initiator sparse = new Initiator(new DeviceServer(Map.of(2, unit, 5, unit)));
        for (int number = 0; number < 8; number++) {
            Initiator.Answer answer = sparse.send(Lun.encode(number), "00");
            if (number == 2 || number == 5) {
                answer.good();
            } else {
                assertEquals("5/25/00", answer.condition());
            }
        }
    }
}
