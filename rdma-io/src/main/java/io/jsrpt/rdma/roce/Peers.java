package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The peers of one socket, one object for each GID, found without allocating. Source addresses can be forged, so the
 * table is bounded: when it is full it starts anew, and those who hold a peer keep theirs. Owner only.
 */
final class Peers {
    private static final int CAPACITY = 4096;
    private static final int LIMIT = CAPACITY / 2;
    /** What a peer needs of native memory at most: a socket address and two headers. */
    private static final int BYTES_EACH = 32 + 2 * 56;

    /** ::ffff:0:0/96, where IPv4 addresses are mapped to. */
    private static final long MAPPED = 0xffffL << 32;

    private final InetAddress local;
    private final int port;
    private final Peer[] table = new Peer[CAPACITY];
    private int size;
    /** One piece of memory for all in the table: a piece each would be too slow to free when addresses are forged. */
    private SegmentAllocator memory = newMemory();

    /**
     * For the socket at this address.
     *
     * @param port where packets to a peer go, and where packets from it come to
     */
    Peers(InetAddress local, int port) {
        this.local = local;
        this.port = port;
    }

    private static SegmentAllocator newMemory() {
        return SegmentAllocator.slicingAllocator(Arena.ofAuto().allocate(LIMIT * (long) BYTES_EACH, 8));
    }

    /** Whether the socket speaks IPv4. */
    boolean ipv4() {
        return local instanceof Inet4Address;
    }

    /** The socket's own address. */
    InetAddress local() {
        return local;
    }

    /** The UDP port, the same on both sides. */
    int port() {
        return port;
    }

    /** The peer with this GID. */
    Peer of(Gid gid) throws RdmaException {
        if (ipv4() != isMapped(gid.subnetPrefix(), gid.interfaceId())) {
            throw new RdmaException("the GID " + gid + " is not of the address family of " + local.getHostAddress());
        }
        return find(gid.subnetPrefix(), gid.interfaceId());
    }

    /** The peer with this IPv4 address, given as a number. */
    Peer findIpv4(int address) {
        return find(0, MAPPED | (address & 0xffff_ffffL));
    }

    /** The peer with this GID, whose address family is known to be the socket's. */
    Peer find(long high, long low) {
        int i = slot(high, low);
        while (table[i] != null) {
            Gid gid = table[i].gid();
            if (gid.interfaceId() == low && gid.subnetPrefix() == high) {
                return table[i];
            }
            i = (i + 1) & (CAPACITY - 1);
        }
        if (size == LIMIT) {
            Arrays.fill(table, null);
            size = 0;
            memory = newMemory();
            i = slot(high, low);
        }
        size++;
        table[i] = create(new Gid(high, low));
        return table[i];
    }

    private static boolean isMapped(long high, long low) {
        return high == 0 && (low >>> 32) == 0xffff;
    }

    private static int slot(long high, long low) {
        long mixed = (high * 31 + low) * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> 40) & (CAPACITY - 1);
    }

    private Peer create(Gid gid) {
        InetAddress remote = scoped(gid.toAddress());
        return new Peer(
                gid,
                new InetSocketAddress(remote, port),
                SocketAddress.of(remote, port, memory),
                memory.allocateFrom(ValueLayout.JAVA_BYTE, InvariantCrc.header(remote, local, port)),
                memory.allocateFrom(ValueLayout.JAVA_BYTE, InvariantCrc.header(local, remote, port)));
    }

    /** A link-local address is reached through the interface of the local address. */
    private InetAddress scoped(InetAddress remote) {
        if (remote.isLinkLocalAddress() && remote instanceof Inet6Address && local instanceof Inet6Address own) {
            try {
                return Inet6Address.getByAddress("", remote.getAddress(), own.getScopeId());
            } catch (UnknownHostException e) {
                throw new AssertionError("16 bytes are always an address", e);
            }
        }
        return remote;
    }

    /** Linux's {@code struct sockaddr_in} and {@code struct sockaddr_in6}. */
    static final class SocketAddress {
        static final int IPV4_BYTES = 16;
        static final int IPV6_BYTES = 28;
        private static final short AF_INET = 2;
        private static final short AF_INET6 = 10;

        private SocketAddress() {}

        static MemorySegment of(InetAddress address, int port, SegmentAllocator allocator) {
            byte[] raw = address.getAddress();
            boolean ipv4 = raw.length == 4;
            MemorySegment s = allocator.allocate(ipv4 ? IPV4_BYTES : IPV6_BYTES, 8);
            s.set(ValueLayout.JAVA_SHORT, 0, ipv4 ? AF_INET : AF_INET6);
            s.set(ValueLayout.JAVA_BYTE, 2, (byte) (port >>> 8));
            s.set(ValueLayout.JAVA_BYTE, 3, (byte) port);
            MemorySegment.copy(raw, 0, s, ValueLayout.JAVA_BYTE, ipv4 ? 4 : 8, raw.length);
            if (address instanceof Inet6Address v6) {
                s.set(ValueLayout.JAVA_INT, 24, v6.getScopeId());
            }
            return s;
        }
    }
}
