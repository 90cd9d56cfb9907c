package io.jsrpt.scsi;

/** Status codes (SAM-5 5.3.1) that the device server or a transport gives. */
public final class ScsiStatus {
    public static final int GOOD = 0x00;
    public static final int CHECK_CONDITION = 0x02;
    public static final int BUSY = 0x08;
    public static final int RESERVATION_CONFLICT = 0x18;
    public static final int TASK_SET_FULL = 0x28;
    public static final int TASK_ABORTED = 0x40;

    private ScsiStatus() {
    }
}
