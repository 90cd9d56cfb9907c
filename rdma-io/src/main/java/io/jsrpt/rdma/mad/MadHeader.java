package io.jsrpt.rdma.mad;

import java.nio.ByteBuffer;

/**
 * The common header of a MAD (IBTA volume 1, 13.4.3), 24 bytes.
 *
 * <pre>
 *   0  base version   1  class        2  class version   3  method
 *   4  status (2)                     6  class specific (2)
 *   8  transaction id (8)
 *  16  attribute id (2)              18  reserved (2)
 *  20  attribute modifier (4)
 * </pre>
 *
 * @param baseVersion {@link Mad#BASE_VERSION}
 * @param managementClass 8 bits
 * @param classVersion 8 bits
 * @param method 8 bits; bit 7 marks a response
 * @param status 16 bits, 0 is success
 * @param classSpecific 16 bits
 * @param transactionId pairs a request and its answers
 * @param attributeId 16 bits
 * @param attributeModifier 32 bits
 */
public record MadHeader(
        int baseVersion,
        int managementClass,
        int classVersion,
        int method,
        int status,
        int classSpecific,
        long transactionId,
        int attributeId,
        int attributeModifier) {

    /**
     * Reads the header at the buffer's index 0; the buffer's position is not used.
     *
     * @throws IndexOutOfBoundsException when there are fewer than 24 bytes; callers check the length first
     */
    public static MadHeader decode(ByteBuffer mad) {
        return new MadHeader(
                mad.get(0) & 0xff,
                mad.get(1) & 0xff,
                mad.get(2) & 0xff,
                mad.get(3) & 0xff,
                mad.getShort(4) & 0xffff,
                mad.getShort(6) & 0xffff,
                mad.getLong(8),
                mad.getShort(16) & 0xffff,
                mad.getInt(20));
    }

    /** Writes the header at the buffer's index 0; the reserved bytes are left alone. */
    public void encode(ByteBuffer mad) {
        mad.put(0, (byte) baseVersion)
                .put(1, (byte) managementClass)
                .put(2, (byte) classVersion)
                .put(3, (byte) method)
                .putShort(4, (short) status)
                .putShort(6, (short) classSpecific)
                .putLong(8, transactionId)
                .putShort(16, (short) attributeId)
                .putInt(20, attributeModifier);
    }
}
