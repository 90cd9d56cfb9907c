package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.PathMtu;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;

/**
 * What path MTU the interface of a local address allows. A peer's request for a larger one is refused, so this must not
 * be smaller than what Linux finds for the same interface: it takes off 96 bytes to propose an MTU
 * ({@code iboe_get_mtu}), and soft-RoCE 80 for what it can do ({@code eth_mtu_int_to_enum}), in both address families.
 */
final class LinkMtu {
    /** UDP, and the longest of ours around a whole payload: the first packet of an RDMA WRITE. */
    private static final int TRANSPORT_BYTES = 8 + Bth.BYTES + Bth.RETH_BYTES + Bth.ICRC_BYTES;

    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;

    private LinkMtu() {}

    /** The largest path MTU for this address; 256 when its interface is not found or is too small for any. */
    static PathMtu of(InetAddress local) throws IOException {
        NetworkInterface link = NetworkInterface.getByInetAddress(local);
        if (link == null && local.isLoopbackAddress()) {
            // every address of 127.0.0.0/8 is served, but only one is listed
            link = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        }
        return link == null ? PathMtu.MTU_256 : of(link.getMTU(), local instanceof Inet4Address);
    }

    /** The largest path MTU whose packets, with the longest headers, fit into IP packets of this size. */
    static PathMtu of(int linkMtu, boolean ipv4) {
        int payload = linkMtu - TRANSPORT_BYTES - (ipv4 ? IPV4_BYTES : IPV6_BYTES);
        PathMtu largest = PathMtu.MTU_256;
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.bytes() <= payload) {
                largest = mtu;
            }
        }
        return largest;
    }
}
