package io.jsrpt.scsi;

/**
 * An I_T nexus: the 16-byte identifiers of an initiator port and a target port, each as two big-endian halves. Two
 * sessions between the same ports have equal nexuses.
 */
public record Nexus(long initiatorHigh, long initiatorLow, long targetHigh, long targetLow) {
    @Override
    public String toString() {
        return String.format("0x%016x%016x-0x%016x%016x", initiatorHigh, initiatorLow, targetHigh, targetLow);
    }
}
