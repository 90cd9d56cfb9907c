package io.jsrpt.rdma;

import java.util.HexFormat;
import java.util.OptionalInt;

/**
 * What a connection request asks for: 64 bits, of which the RDMA/CM's TCP port space is {@code 0x00000000_0106_pppp}
 * with the port in the last 16 (IBTA annex A11).
 *
 * @param value as on the wire, read big-endian
 */
public record ServiceId(long value) {
    private static final long RDMA_TCP = 0x0106_0000L;

    /** The service id of a TCP port in the RDMA/CM's port space. */
    public static ServiceId rdmaTcp(int port) {
        if (port < 1 || port > 0xffff) {
            throw new IllegalArgumentException("not a port: " + port);
        }
        return new ServiceId(RDMA_TCP | port);
    }

    /** The port, if this is an id of the RDMA/CM's TCP port space; a request to it begins with the CMA header. */
    public OptionalInt rdmaTcpPort() {
        return (value & ~0xffffL) == RDMA_TCP ? OptionalInt.of((int) (value & 0xffff)) : OptionalInt.empty();
    }

    @Override
    public String toString() {
        return "0x" + HexFormat.of().toHexDigits(value);
    }
}
