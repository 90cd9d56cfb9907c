package io.jsrpt.it.initiator;

import java.nio.ByteBuffer;

/**
 * A command to send.
 *
 * @param lun in SAM's eight-byte form
 * @param cdb at most 268 bytes; past 16 it is padded to a multiple of 4
 * @param out the data-out buffer
 * @param in the data-in buffer
 * @param attribute the task attribute
 */
public record ScsiCommand(long lun, byte[] cdb, Transfer out, Transfer in, int attribute) {
    /** A simple task without data. */
    public static ScsiCommand of(long lun, byte[] cdb) {
        return new ScsiCommand(lun, cdb, Transfer.NONE, Transfer.NONE, 0);
    }

    /** A simple task that gets data. */
    public static ScsiCommand in(long lun, byte[] cdb, Transfer in) {
        return new ScsiCommand(lun, cdb, Transfer.NONE, in, 0);
    }

    /** A simple task that sends data. */
    public static ScsiCommand out(long lun, byte[] cdb, Transfer out) {
        return new ScsiCommand(lun, cdb, out, Transfer.NONE, 0);
    }

    /** A logical unit number of the peripheral device addressing, 0 to 255. */
    public static long lun(int number) {
        return (long) number << 48;
    }

    /** TEST UNIT READY. */
    public static byte[] testUnitReady() {
        return new byte[6];
    }

    /** INQUIRY of the standard data. */
    public static byte[] inquiry(int allocationLength) {
        return ByteBuffer.allocate(6).put((byte) 0x12).putShort(3, (short) allocationLength).array();
    }

    /** REPORT LUNS. */
    public static byte[] reportLuns(int allocationLength) {
        return ByteBuffer.allocate(12).put((byte) 0xa0).putInt(6, allocationLength).array();
    }

    /** READ CAPACITY (16). */
    public static byte[] readCapacity16(int allocationLength) {
        return ByteBuffer.allocate(16).put((byte) 0x9e).put((byte) 0x10).putInt(10, allocationLength).array();
    }

    /** READ (16). */
    public static byte[] read16(long lba, int blocks) {
        return ByteBuffer.allocate(16).put((byte) 0x88).putLong(2, lba).putInt(10, blocks).array();
    }

    /** WRITE (16). */
    public static byte[] write16(long lba, int blocks) {
        return ByteBuffer.allocate(16).put((byte) 0x8a).putLong(2, lba).putInt(10, blocks).array();
    }

    /** SYNCHRONIZE CACHE (10) of the whole medium. */
    public static byte[] synchronizeCache() {
        return ByteBuffer.allocate(10).put((byte) 0x35).array();
    }
}
