package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Sense data byte for byte. */
class SenseDataTest {
    private final byte[] into = new byte[SenseData.MAX_LENGTH];

    SenseDataTest() {
        Arrays.fill(into, (byte) 0xEE);
    }

    private String fixed(SenseCondition condition, long information, int specifics) {
        int length = SenseData.fixed(into, condition, information, specifics);
        return HexFormat.ofDelimiter(" ").withUpperCase().formatHex(into, 0, length);
    }

    private String descriptor(SenseCondition condition, long information, int specifics) {
        int length = SenseData.descriptor(into, condition, information, specifics);
        return HexFormat.ofDelimiter(" ").withUpperCase().formatHex(into, 0, length);
    }

    @Test
    void fixedBare() {
        assertEquals("70 00 05 00 00 00 00 0A 00 00 00 00 20 00 00 00 00 00",
            fixed(SenseCondition.INVALID_COMMAND_OPERATION_CODE, SenseData.NO_INFORMATION, SenseData.NO_SPECIFICS));
    }

    @Test
    void fixedWithInformation() {
        assertEquals("F0 00 03 FE DC BA 98 0A 00 00 00 00 11 00 00 00 00 00",
            fixed(SenseCondition.UNRECOVERED_READ_ERROR, 0xFEDC_BA98L, SenseData.NO_SPECIFICS));
        assertEquals("F0 00 03 00 00 00 00 0A 00 00 00 00 0C 00 00 00 00 00",
            fixed(SenseCondition.WRITE_ERROR, 0, SenseData.NO_SPECIFICS));
    }

    @Test
    void fixedWithTooMuchInformation() {
        assertEquals("70 00 03 00 00 00 00 0A 00 00 00 00 11 00 00 00 00 00",
            fixed(SenseCondition.UNRECOVERED_READ_ERROR, 0x1_0000_0000L, SenseData.NO_SPECIFICS));
    }

    @Test
    void fixedWithFieldPointer() {
        assertEquals("70 00 05 00 00 00 00 0A 00 00 00 00 24 00 00 CD 00 02",
            fixed(SenseCondition.INVALID_FIELD_IN_CDB, SenseData.NO_INFORMATION, SenseData.fieldPointer(2, 5)));
    }

    @Test
    void descriptorBare() {
        assertEquals("72 00 00 00 00 00 00 00",
            descriptor(SenseCondition.NO_ADDITIONAL_SENSE, SenseData.NO_INFORMATION, SenseData.NO_SPECIFICS));
        assertEquals("72 0E 1D 00 00 00 00 00", descriptor(SenseCondition.MISCOMPARE_DURING_VERIFY_OPERATION,
            SenseData.NO_INFORMATION, SenseData.NO_SPECIFICS));
    }

    @Test
    void descriptorWithEverything() {
        assertEquals("72 05 21 00 00 00 00 14 00 0A 80 00 01 23 45 67 89 AB CD EF 02 06 00 00 CF 00 02 00",
            descriptor(SenseCondition.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE, 0x0123_4567_89AB_CDEFL,
                SenseData.fieldPointer(2, 7)));
    }
}
