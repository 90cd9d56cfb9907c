package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Checks sense data in fixed format against SPC-4 4.5.3. */
final class ValidSense {
    private static final int SPECIFICS_VALID = 0x80;
    private static final int IN_CDB = 0x40;
    private static final int BIT_VALID = 0x08;

    private ValidSense() {
    }

    /** Current errors only; pointers point into what was sent; nothing is set that the condition has no use for. */
    static void check(byte[] sense, byte[] cdb, int cdbLength, int dataOutLength, String what) {
        assertEquals(SenseData.FIXED_LENGTH, sense.length, what);
        assertEquals(0x70, sense[0] & 0x7F, what);
        assertEquals(0, sense[1], what);
        assertEquals(0, sense[2] & 0xF0, what);
        assertEquals(sense.length - 8, sense[7], what);
        int key = sense[2];
        assertTrue(Arrays.stream(SenseKey.values()).anyMatch(known -> known.code == key), what);
        assertTrue(Arrays.stream(SenseCondition.values()).anyMatch(known -> known.key.code == key
            && known.code == (sense[12] & 0xFF) && known.qualifier == (sense[13] & 0xFF)), what);
        boolean information = (sense[0] & 0x80) != 0;
        assertTrue(information || ByteBuffer.wrap(sense).getInt(3) == 0, what);
        int code = (sense[12] & 0xFF) << 8 | (sense[13] & 0xFF);
        int pointer = ByteBuffer.wrap(sense).getShort(16) & 0xFFFF;
        int flags = sense[15] & 0xFF;
        switch (code) {
            case 0x2400 -> {
                assertEquals(SPECIFICS_VALID | IN_CDB | BIT_VALID, flags & 0xF8, what);
                assertTrue(pointer > 0 && pointer < Math.min(cdbLength, cdb.length), what);
            }
            case 0x2600 -> {
                assertEquals(SPECIFICS_VALID | BIT_VALID, flags & 0xF8, what);
                assertTrue(pointer < dataOutLength, what);
            }
            default -> assertEquals(0, flags | pointer, what);
        }
    }
}
