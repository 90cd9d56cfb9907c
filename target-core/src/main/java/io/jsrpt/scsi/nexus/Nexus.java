package io.jsrpt.scsi.nexus;

/**
 * An I_T nexus: the 16-byte identifiers of an initiator port and a target port, and the address that the initiator
 * comes from, each as two big-endian halves. Two sessions between the same ports have equal nexuses, also when they
 * reach the target by different addresses. The initiator's address is part of it, because identifiers can be equal by
 * mistake (Linux derives them from the network card, and over iWARP half of that is zero): what one host has reserved
 * must not open the unit to another.
 *
 * @param addressHigh of the initiator's address as an IPv6 address; with {@code addressLow} 0 while it is not known
 */
public record Nexus(long initiatorHigh, long initiatorLow, long targetHigh, long targetLow, long addressHigh,
        long addressLow) {
    /** A nexus whose initiator's address is not known. */
    public Nexus(long initiatorHigh, long initiatorLow, long targetHigh, long targetLow) {
        this(initiatorHigh, initiatorLow, targetHigh, targetLow, 0, 0);
    }

    /** Whether both are between the same ports, from whatever address. */
    public boolean samePorts(Nexus other) {
        return initiatorHigh == other.initiatorHigh && initiatorLow == other.initiatorLow
            && targetHigh == other.targetHigh && targetLow == other.targetLow;
    }

    @Override
    public String toString() {
        return String.format("0x%016x%016x-0x%016x%016x", initiatorHigh, initiatorLow, targetHigh, targetLow);
    }
}
