package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.roce.PacketCounters.Name;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what the kernel refuses for the network's sake, and logs each reason once. Owner only. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(PacketSocket.class);
    /** Reasons are the kernel's, and few. */
    private static final int LIMIT = 64;

    private final PacketCounters counters;
    private final Set<String> logged = new HashSet<>();

    Failures(PacketCounters counters) {
        this.counters = counters;
    }

    /** A packet to this peer was not sent. */
    void send(Peer to, boolean tooLong, String reason) {
        counters.add(tooLong ? Name.TX_TOO_LONG : Name.TX_UNREACHABLE, 1);
        if (first("send " + reason)) {
            LOG.warn("a packet to {} was not sent, and more for this reason are only counted: {}", to, reason);
        }
    }

    /** Receiving failed, with nothing received. */
    void receive(String reason) {
        counters.add(Name.RX_FAILURES, 1);
        if (first("receive " + reason)) {
            LOG.warn("receiving failed, and further times for this reason are only counted: {}", reason);
        }
    }

    /** So many packets arrived that the kernel had no room for. */
    void noRoom(long packets) {
        counters.add(Name.RX_NO_ROOM, packets);
        if (first("no room")) {
            LOG.warn(
                    "the kernel dropped {} packets for want of room, and more are only counted: the receive buffer of "
                            + "{} bytes is too small for the load",
                    packets,
                    counters.get(Name.RX_BUFFER));
        }
    }

    private boolean first(String reason) {
        return logged.size() < LIMIT && logged.add(reason);
    }
}
