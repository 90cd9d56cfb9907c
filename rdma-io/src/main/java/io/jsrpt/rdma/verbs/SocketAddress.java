package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteOrder;

/** {@code struct sockaddr_in} and {@code sockaddr_in6}, and GIDs, as the libraries have them. */
final class SocketAddress {
    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final long BYTES = 28;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddress() {}

    static MemorySegment of(Arena arena, InetAddress address, int port) {
        MemorySegment to = arena.allocate(BYTES, 8);
        byte[] raw = address.getAddress();
        to.set(PORT, 2, (short) port);
        if (address instanceof Inet6Address v6) {
            to.set(ValueLayout.JAVA_SHORT, 0, AF_INET6);
            MemorySegment.copy(raw, 0, to, ValueLayout.JAVA_BYTE, 8, raw.length);
            to.set(ValueLayout.JAVA_INT, 24, v6.getScopeId());
        } else {
            to.set(ValueLayout.JAVA_SHORT, 0, AF_INET);
            MemorySegment.copy(raw, 0, to, ValueLayout.JAVA_BYTE, 4, raw.length);
        }
        return to;
    }

    /** The GID at an address of the libraries'. */
    static Gid gid(long address) {
        return new Gid(Long.reverseBytes(Raw.getLong(address)), Long.reverseBytes(Raw.getLong(address + 8)));
    }
}
