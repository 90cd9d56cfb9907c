package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaException;
import java.net.InetAddress;

/** Opens packet sockets. */
final class PacketSockets {
    /** The UDP port of RoCEv2. */
    static final int ROCE_PORT = 4791;

    private PacketSockets() {}

    /**
     * Opens the best socket that this host has, at port {@link #ROCE_PORT}.
     *
     * @param local an address of this host, no wildcard: the invariant CRC covers it
     * @param bufferBytes the receive and send buffer to ask of the kernel
     * @throws RdmaException when the address cannot be bound
     */
    static PacketSocket open(InetAddress local, int bufferBytes) throws RdmaException {
        return NioPacketSocket.open(local, ROCE_PORT, bufferBytes);
    }
}
