package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The addressing methods of SAM-5 4.7. */
class LunTest {
    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "0005000000000000, 5",
        "00FF000000000000, 255",
        "4000000000000000, 0",
        "4005000000000000, 5",
        "4100000000000000, 256",
        "7FFF000000000000, 16383",
        "C101000000000000, -2",
        // another bus, a second level, another well known unit, extended flat, the vendor's method
        "0100000000000000, -1",
        "3F05000000000000, -1",
        "0005000100000000, -1",
        "0005000000000001, -1",
        "4005400100000000, -1",
        "C102000000000000, -1",
        "C101000000000001, -1",
        "D200000500000000, -1",
        "8005000000000000, -1",
        "FFFFFFFFFFFFFFFF, -1"})
    void decode(String lun, int number) {
        assertEquals(number, Lun.decode(Long.parseUnsignedLong(lun, 16)));
    }

    @Test
    void everyNumberSurvives() {
        for (int number = 0; number <= Lun.MAX_NUMBER; number++) {
            assertEquals(number, Lun.decode(Lun.encode(number)));
        }
        assertEquals(0x00FFL << 48, Lun.encode(255));
        assertEquals(0x4100L << 48, Lun.encode(256));
    }

    @Test
    void otherNumbersDoNot() {
        assertThrows(IllegalArgumentException.class, () -> Lun.encode(-1));
        assertThrows(IllegalArgumentException.class, () -> Lun.encode(Lun.MAX_NUMBER + 1));
    }
}
