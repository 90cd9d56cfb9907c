package io.jsrpt.rdma;

import java.util.Optional;

/** A way to do RDMA. Implementations are found by {@link java.util.ServiceLoader}; constructing one opens nothing. */
public interface RdmaProvider {
    /** The name that a configuration uses, for example {@code roce}. */
    String name();

    /** Why this provider cannot run on this host, in one line for a person; empty when it can. */
    Optional<String> unavailable();

    /**
     * Opens the provider and its devices.
     *
     * @throws RdmaException when an address cannot be bound or a device cannot be opened; nothing stays open then
     */
    RdmaService open(RdmaSettings settings) throws RdmaException;
}
