package io.jsrpt.scsi;

/** Logical unit numbers in their 8-byte form (SAM-5 4.7), as big-endian integers. */
public final class Lun {
    /** The largest number that the flat space addressing method can say. */
    public static final int MAX_NUMBER = 0x3FFF;

    /** The REPORT LUNS well known logical unit, in its 8-byte form. */
    static final long REPORT_LUNS_FORM = 0xC101_0000_0000_0000L;
    /** What {@link #decode} answers for it. */
    static final int REPORT_LUNS = -2;
    /** What {@link #decode} answers for anything that names no unit here. */
    static final int NONE = -1;

    private Lun() {
    }

    /** The 8-byte form of a number: peripheral device addressing up to 255, flat space addressing above. */
    public static long encode(int number) {
        if (number < 0 || number > MAX_NUMBER) {
            throw new IllegalArgumentException("logical unit number " + number);
        }
        long level = number < 256 ? number : 0x4000 | number;
        return level << 48;
    }

    /** The number that a LUN stands for, by either addressing method; all units are on the first level. */
    static int decode(long lun) {
        if (lun == REPORT_LUNS_FORM) {
            return REPORT_LUNS;
        }
        if (lun << 16 != 0) {
            return NONE;
        }
        int level = (int) (lun >>> 48);
        return switch (level >> 14) {
            case 0 -> level < 256 ? level : NONE;
            case 1 -> level & MAX_NUMBER;
            default -> NONE;
        };
    }
}
