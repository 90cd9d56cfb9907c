package io.jsrpt.rdma;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Global identifier of a port (IBTA volume 1, 4.1.1): an IPv6 address, or an IPv4 one mapped into {@code ::ffff:0:0/96}
 * (RoCEv2, annex A17).
 *
 * @param subnetPrefix the upper 64 bits
 * @param interfaceId the lower 64 bits
 */
public record Gid(long subnetPrefix, long interfaceId) {
    /** The GID that an IP address has under RoCEv2. */
    public static Gid of(InetAddress address) {
        byte[] raw = address.getAddress();
        if (raw.length == 4) {
            return new Gid(0, (0xffffL << 32) | (ByteBuffer.wrap(raw).getInt() & 0xffff_ffffL));
        }
        ByteBuffer b = ByteBuffer.wrap(raw);
        return new Gid(b.getLong(), b.getLong());
    }

    /** The IP address that a RoCEv2 GID stands for; an IPv4-mapped GID gives an IPv4 address. */
    public InetAddress toAddress() {
        byte[] raw = ByteBuffer.allocate(16).putLong(subnetPrefix).putLong(interfaceId).array();
        try {
            return InetAddress.getByAddress(raw);
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are always an address", e);
        }
    }

    /** The form that Linux prints: eight groups of four hexadecimal digits. */
    @Override
    public String toString() {
        String hex = HexFormat.of().toHexDigits(subnetPrefix) + HexFormat.of().toHexDigits(interfaceId);
        return hex.replaceAll("(.{4})(?!$)", "$1:");
    }
}
