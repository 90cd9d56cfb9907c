package io.jsrpt.rdma;

import java.net.InetAddress;
import java.util.List;

/**
 * What a provider is opened with.
 *
 * @param addresses the local addresses to serve, each a device or one of a device's GIDs; never wildcards
 * @param maxPathMtu the largest path MTU to use; the network may make it smaller
 * @param socketBufferBytes for providers that use sockets: the receive and send buffer to ask of the kernel, in bytes
 */
public record RdmaSettings(List<InetAddress> addresses, PathMtu maxPathMtu, int socketBufferBytes) {
    public RdmaSettings {
        addresses = List.copyOf(addresses);
        for (InetAddress address : addresses) {
            if (address.isAnyLocalAddress()) {
                throw new IllegalArgumentException("a wildcard address cannot be served: " + address);
            }
        }
        if (socketBufferBytes < 65_536) {
            throw new IllegalArgumentException("socketBufferBytes is below 65536: " + socketBufferBytes);
        }
    }

    /** Settings for these addresses with a path MTU of 4096 and 4 MiB socket buffers. */
    public static RdmaSettings of(List<InetAddress> addresses) {
        return new RdmaSettings(addresses, PathMtu.MTU_4096, 4 << 20);
    }
}
