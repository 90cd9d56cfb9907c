package io.jsrpt.scsi;

import java.util.Arrays;

/** Writes sense data in both formats (SPC-4 4.5.2 and 4.5.3). */
final class SenseData {
    /** No INFORMATION field: no block has this address, since a store's length in bytes fits a long. */
    static final long NO_INFORMATION = -1;
    /** No sense-key specific data. */
    static final int NO_SPECIFICS = 0;
    static final int FIXED_LENGTH = 18;
    /** The longest that is written: descriptor format with information and sense-key specific data. */
    static final int MAX_LENGTH = 28;

    private static final int SPECIFICS_VALID = 0x80_0000;
    private static final int IN_CDB = 0x40_0000;
    private static final int BIT_POINTER_VALID = 0x08_0000;

    private SenseData() {
    }

    /**
     * Sense-key specific data of an illegal request (SPC-4 4.5.2.4.2), 24 bits: which field of the CDB is wrong.
     *
     * @param at the offset of the field's first byte
     * @param bit the field's leftmost bit in that byte, 7 to 0
     */
    static int fieldPointer(int at, int bit) {
        return SPECIFICS_VALID | IN_CDB | BIT_POINTER_VALID | bit << 16 | at;
    }

    /** As {@link #fieldPointer}, for a field of the parameter list. */
    static int parameterPointer(int at, int bit) {
        return SPECIFICS_VALID | BIT_POINTER_VALID | bit << 16 | at;
    }

    /** Writes fixed format; answers its length. Information that needs more than 32 bits is left out, as SPC-4 asks. */
    static int fixed(byte[] into, SenseCondition condition, long information, int specifics) {
        Arrays.fill(into, 0, FIXED_LENGTH, (byte) 0);
        boolean valid = information != NO_INFORMATION && information >>> 32 == 0;
        into[0] = (byte) (valid ? 0xF0 : 0x70);
        into[2] = (byte) condition.key.code;
        if (valid) {
            BigEndian.putInt(into, 3, (int) information);
        }
        into[7] = FIXED_LENGTH - 8;
        into[12] = (byte) condition.code;
        into[13] = (byte) condition.qualifier;
        putSpecifics(into, 15, specifics);
        return FIXED_LENGTH;
    }

    /** Writes descriptor format; answers its length. */
    static int descriptor(byte[] into, SenseCondition condition, long information, int specifics) {
        Arrays.fill(into, 0, MAX_LENGTH, (byte) 0);
        into[0] = 0x72;
        into[1] = (byte) condition.key.code;
        into[2] = (byte) condition.code;
        into[3] = (byte) condition.qualifier;
        int length = 8;
        if (information != NO_INFORMATION) {
            into[length + 1] = 0x0A;
            into[length + 2] = (byte) 0x80;
            BigEndian.putLong(into, length + 4, information);
            length += 12;
        }
        if (specifics != NO_SPECIFICS) {
            into[length] = 0x02;
            into[length + 1] = 0x06;
            putSpecifics(into, length + 4, specifics);
            length += 8;
        }
        into[7] = (byte) (length - 8);
        return length;
    }

    private static void putSpecifics(byte[] into, int at, int specifics) {
        into[at] = (byte) (specifics >>> 16);
        into[at + 1] = (byte) (specifics >>> 8);
        into[at + 2] = (byte) specifics;
    }
}
