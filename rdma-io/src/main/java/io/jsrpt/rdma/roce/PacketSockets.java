package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import java.net.InetAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens packet sockets. */
final class PacketSockets {
    /** The UDP port of RoCEv2. */
    static final int ROCE_PORT = 4791;

    private static final Logger LOG = LoggerFactory.getLogger(PacketSockets.class);

    private PacketSockets() {}

    /**
     * Opens the best socket that this host has, at port {@link #ROCE_PORT}.
     *
     * @param local an address of this host, no wildcard: the invariant CRC covers it
     * @param bufferBytes the receive and send buffer to ask of the kernel
     * @throws RdmaException when the address cannot be bound
     */
    static PacketSocket open(InetAddress local, int bufferBytes) throws RdmaException {
        Optional<String> unavailable = MmsgPacketSocket.unavailable();
        unavailable.ifPresent(why -> LOG.info("sending and receiving one packet at a time: {}", why));
        PacketSocket socket = unavailable.isEmpty()
                ? MmsgPacketSocket.open(local, ROCE_PORT, bufferBytes)
                : NioPacketSocket.open(local, ROCE_PORT, bufferBytes);
        for (Counter counter : socket.counters()) {
            if (counter.name().startsWith("socket.") && counter.value() < bufferBytes) {
                LOG.warn(
                        "{} of {} is {} bytes, not {}: packets may be lost under load; see net.core.rmem_max and "
                                + "net.core.wmem_max",
                        counter.name(),
                        local.getHostAddress(),
                        counter.value(),
                        bufferBytes);
            }
        }
        return socket;
    }
}
