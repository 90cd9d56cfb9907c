package io.jsrpt.scsi.nexus;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The TransportID of an SRP initiator port (SPC-4 7.6.4.6): the protocol identifier 4 in byte 0, and the port
 * identifier in bytes 8 to 23.
 *
 * @param high the upper half of the port identifier
 * @param low the lower half
 */
public record TransportId(long high, long low) {
    /** Its length in bytes. */
    public static final int BYTES = 24;

    private static final int SRP = 0x04;

    /** That of a nexus's initiator port. */
    public static TransportId of(Nexus nexus) {
        return new TransportId(nexus.initiatorHigh(), nexus.initiatorLow());
    }

    /**
     * Reads one.
     *
     * @param at its offset; {@link #BYTES} bytes must be there
     * @return empty when it is of another protocol or format, or has a reserved bit set
     */
    public static Optional<TransportId> decode(byte[] bytes, int at) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, at, BYTES).slice();
        boolean srp = buffer.getLong(0) == (long) SRP << 56;
        return srp ? Optional.of(new TransportId(buffer.getLong(8), buffer.getLong(16))) : Optional.empty();
    }

    /** Writes it: {@link #BYTES} bytes. */
    public void encode(byte[] into, int at) {
        ByteBuffer.wrap(into, at, BYTES).putLong((long) SRP << 56).putLong(high).putLong(low);
    }

    /** Whether it names the initiator port of the nexus. */
    public boolean names(Nexus nexus) {
        return nexus.initiatorHigh() == high && nexus.initiatorLow() == low;
    }
}
