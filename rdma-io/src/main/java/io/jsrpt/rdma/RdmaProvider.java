package io.jsrpt.rdma;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** A way to do RDMA. Implementations are found by {@link java.util.ServiceLoader}; constructing one opens nothing. */
public interface RdmaProvider {
    /** The name that a configuration uses, for example {@code roce}. */
    String name();

    /** Why this provider cannot run on this host, in one line for a person; empty when it can. */
    Optional<String> unavailable();

    /**
     * Why this provider cannot serve one of these local addresses, in one line; empty when it can serve all.
     *
     * @param addresses as in {@link RdmaSettings#addresses}
     */
    default Optional<String> unavailable(List<InetAddress> addresses) {
        return unavailable();
    }

    /** The devices that this provider finds on the host, whoever uses them; none where it needs none. */
    default List<HostDevice> devices() {
        return List.of();
    }

    /**
     * A device of the host.
     *
     * @param ports its ports, each with its whole GID table
     */
    record HostDevice(String name, List<PortAttributes> ports) {
        public HostDevice {
            ports = List.copyOf(ports);
        }
    }

    /**
     * Opens the provider and its devices.
     *
     * @throws RdmaException when an address cannot be bound or a device cannot be opened; nothing stays open then
     */
    RdmaService open(RdmaSettings settings) throws RdmaException;
}
