package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaProvider;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import java.util.Optional;

/**
 * RoCEv2 in Java: the InfiniBand transport over UDP (IBTA volume 1 and its annex A17), with its own connection manager.
 * Needs no hardware and no native library.
 */
public final class RoceProvider implements RdmaProvider {
    /** For {@link java.util.ServiceLoader}. */
    public RoceProvider() {}

    @Override
    public String name() {
        return "roce";
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public RdmaService open(RdmaSettings settings) throws RdmaException {
        return RoceService.open(settings);
    }
}
