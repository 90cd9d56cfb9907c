package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/** A peer's port as a socket needs it; immutable. Two are equal when their GIDs are, within one socket. */
final class Peer {
    private final Gid gid;
    private final InetSocketAddress address;
    private final MemorySegment socketAddress;
    private final MemorySegment incoming;
    private final MemorySegment outgoing;

    Peer(
            Gid gid,
            InetSocketAddress address,
            MemorySegment socketAddress,
            MemorySegment incoming,
            MemorySegment outgoing) {
        this.gid = gid;
        this.address = address;
        this.socketAddress = socketAddress;
        this.incoming = incoming;
        this.outgoing = outgoing;
    }

    /** The port's GID. */
    Gid gid() {
        return gid;
    }

    /** Where packets to it go. */
    InetSocketAddress address() {
        return address;
    }

    /** {@link #address} as Linux's {@code struct sockaddr_in} or {@code sockaddr_in6}, in native memory. */
    MemorySegment socketAddress() {
        return socketAddress;
    }

    /** What the invariant CRC sees before the BTH of a packet from it, see {@link InvariantCrc#header}. */
    MemorySegment incoming() {
        return incoming;
    }

    /** The same for packets to it. */
    MemorySegment outgoing() {
        return outgoing;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Peer peer && gid.equals(peer.gid));
    }

    @Override
    public int hashCode() {
        return gid.hashCode();
    }

    @Override
    public String toString() {
        return address.getAddress().getHostAddress();
    }
}
