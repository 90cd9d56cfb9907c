package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The first 36 bytes of a REQ's private data for a service id of the RDMA/CM's port space (IBTA annex A11).
 *
 * <pre>
 *   0  version, 0             1  IP version in the upper 4 bits
 *   2  source port (2)
 *   4  source address (16)   20  destination address (16); IPv4 addresses in the last 4 bytes
 * </pre>
 *
 * @param ipVersion 4 or 6
 * @param sourcePort the port of the sender's end
 * @param source the sender's address, as the GID that it has under RoCEv2
 * @param destination the receiver's address, likewise
 */
record CmaHeader(int ipVersion, int sourcePort, Gid source, Gid destination) {
    static final int SIZE = 36;
    private static final long V4_MAPPED = 0xffffL << 32;
    private static final long LOW_32 = 0xffff_ffffL;

    /** The header of a request from one GID to another. */
    static CmaHeader between(Gid source, int sourcePort, Gid destination) {
        return new CmaHeader(isV4(source) && isV4(destination) ? 4 : 6, sourcePort, source, destination);
    }

    /** Reads the header; empty when its version or its IP version is unknown, or when there are too few bytes. */
    static Optional<CmaHeader> decode(byte[] privateData) {
        if (privateData.length < SIZE) {
            return Optional.empty();
        }
        ByteBuffer b = ByteBuffer.wrap(privateData);
        int ipVersion = (b.get(1) & 0xff) >>> 4;
        if (b.get(0) != 0 || (ipVersion != 4 && ipVersion != 6)) {
            return Optional.empty();
        }
        return Optional.of(new CmaHeader(
                ipVersion, b.getShort(2) & 0xffff, address(b, 4, ipVersion), address(b, 20, ipVersion)));
    }

    /** What follows the header. */
    static byte[] strip(byte[] privateData) {
        return Arrays.copyOfRange(privateData, SIZE, privateData.length);
    }

    /** The private data with this header before it. */
    byte[] prepend(byte[] privateData) {
        ByteBuffer b = ByteBuffer.allocate(SIZE + privateData.length);
        b.put(1, (byte) (ipVersion << 4)).putShort(2, (short) sourcePort);
        putAddress(b, 4, source);
        putAddress(b, 20, destination);
        return b.put(SIZE, privateData).array();
    }

    private void putAddress(ByteBuffer b, int offset, Gid gid) {
        if (ipVersion == 4) {
            b.putInt(offset + 12, (int) gid.interfaceId());
        } else {
            b.putLong(offset, gid.subnetPrefix()).putLong(offset + 8, gid.interfaceId());
        }
    }

    private static Gid address(ByteBuffer b, int offset, int ipVersion) {
        return ipVersion == 4
                ? new Gid(0, V4_MAPPED | (b.getInt(offset + 12) & LOW_32))
                : new Gid(b.getLong(offset), b.getLong(offset + 8));
    }

    private static boolean isV4(Gid gid) {
        return gid.subnetPrefix() == 0 && gid.interfaceId() >>> 32 == 0xffff;
    }
}
