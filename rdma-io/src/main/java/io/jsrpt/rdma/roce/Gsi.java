package io.jsrpt.rdma.roce;

import java.util.Optional;

/**
 * The general services interface: QP1, an unreliable-datagram queue pair that carries management datagrams (IBTA volume
 * 1, 13.5.3 and 9.8.3). Called by the network thread.
 */
final class Gsi {
    static final int QP1 = 1;
    static final int MAD_BYTES = 256;

    private static final int QUEUE_KEY = 0x8001_0000;
    private static final int HEADER_BYTES = Bth.BYTES + Bth.DETH_BYTES;

    private final NetworkThread network;
    private int psn;

    Gsi(NetworkThread network) {
        this.network = network;
    }

    /** Sends a datagram of 256 bytes to the peer's QP1. */
    void send(Peer peer, byte[] mad) {
        if (mad.length != MAD_BYTES) {
            throw new IllegalArgumentException("a management datagram has 256 bytes, not " + mad.length);
        }
        long at = network.reserve();
        psn = Psn.plus(psn, 1);
        Bth.write(at, Bth.UD_SEND_ONLY, 0, 0, QP1, false, psn);
        Native.putInt(at + Bth.BYTES, QUEUE_KEY);
        Native.putInt(at + Bth.BYTES + 4, QP1);
        Native.copy(mad, at + HEADER_BYTES);
        network.socket().commit(peer, HEADER_BYTES + MAD_BYTES + Bth.ICRC_BYTES);
    }

    /**
     * Takes a packet for QP1.
     *
     * @param at native address of the BTH
     * @param length without the invariant CRC
     * @return the datagram, if the packet is in order
     */
    Optional<byte[]> onPacket(long at, int length) {
        if (Bth.opcode(at) != Bth.UD_SEND_ONLY || Bth.version(at) != 0 || length != HEADER_BYTES + MAD_BYTES) {
            network.counters().increment(Count.DROPPED_MALFORMED);
            return Optional.empty();
        }
        if (Native.getInt(at + Bth.BYTES) != QUEUE_KEY) {
            network.counters().increment(Count.DROPPED_QUEUE_KEY);
            return Optional.empty();
        }
        return Optional.of(Native.bytes(at + HEADER_BYTES, MAD_BYTES));
    }
}
