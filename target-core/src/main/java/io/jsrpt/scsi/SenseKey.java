package io.jsrpt.scsi;

/** Sense keys (SPC-4 4.5.6), in the order of their codes. */
enum SenseKey {
    NO_SENSE(0x0),
    NOT_READY(0x2),
    MEDIUM_ERROR(0x3),
    HARDWARE_ERROR(0x4),
    ILLEGAL_REQUEST(0x5),
    UNIT_ATTENTION(0x6),
    DATA_PROTECT(0x7),
    ABORTED_COMMAND(0xB),
    MISCOMPARE(0xE);

    final int code;

    SenseKey(int code) {
        this.code = code;
    }
}
