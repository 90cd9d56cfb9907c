package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import java.net.NetworkInterface;
import java.net.SocketException;

/** The EUI-64 that names a device. */
final class Guid {
    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000_0000L;

    private Guid() {}

    /**
     * Of the interface's Ethernet address, as the kernel's soft-RoCE makes it (EUI-48 to EUI-64 with the universal bit
     * turned over); of the GID where the interface has none. Several addresses of one interface give the same.
     */
    static long of(Gid gid) {
        try {
            NetworkInterface link = NetworkInterface.getByInetAddress(gid.toAddress());
            byte[] mac = link == null ? null : link.getHardwareAddress();
            if (mac != null && mac.length == 6) {
                return ofEthernet(mac);
            }
        } catch (SocketException e) {
            // an address that has just gone has no Ethernet address either
            return ofGid(gid);
        }
        return ofGid(gid);
    }

    static long ofEthernet(byte[] mac) {
        long high = ((mac[0] & 0xffL) ^ 2) << 16 | (mac[1] & 0xffL) << 8 | (mac[2] & 0xffL);
        long low = (mac[3] & 0xffL) << 16 | (mac[4] & 0xffL) << 8 | (mac[5] & 0xffL);
        return high << 40 | 0xfffeL << 24 | low;
    }

    static long ofGid(Gid gid) {
        return ((gid.interfaceId() * 31 + gid.subnetPrefix()) & 0x00ff_ffff_ffff_ffffL) | LOCALLY_ADMINISTERED;
    }
}
