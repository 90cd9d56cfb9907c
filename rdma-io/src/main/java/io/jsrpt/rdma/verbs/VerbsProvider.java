package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaProvider;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * RDMA devices through the host's rdma-core ({@code librdmacm} and {@code libibverbs}): RDMA adapters, and the kernel's
 * soft-RoCE. The libraries are looked for at the first call of a method, not before.
 */
public final class VerbsProvider implements RdmaProvider {
    /** For {@link java.util.ServiceLoader}. */
    public VerbsProvider() {}

    @Override
    public String name() {
        return "verbs";
    }

    @Override
    public Optional<String> unavailable() {
        return Libraries.problem().or(HostDevices::problem);
    }

    @Override
    public Optional<String> unavailable(List<InetAddress> addresses) {
        return unavailable().or(() -> addresses.stream().flatMap(a -> Binding.problem(a).stream()).findFirst());
    }

    @Override
    public List<HostDevice> devices() {
        return Libraries.problem().isPresent() ? List.of() : HostDevices.all();
    }

    @Override
    public RdmaService open(RdmaSettings settings) throws RdmaException {
        Optional<String> problem = Libraries.problem();
        if (problem.isPresent()) {
            throw new RdmaException(problem.get());
        }
        return VerbsService.open(settings);
    }
}
