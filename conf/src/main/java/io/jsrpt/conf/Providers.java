package io.jsrpt.conf;

import io.jsrpt.rdma.RdmaProvider;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the RDMA provider that a configuration names. */
final class Providers {
    private static final Logger LOG = LoggerFactory.getLogger(Providers.class);

    /** Hardware before software, less work for the CPU before more. */
    private static final List<String> PREFERENCE = List.of("verbs", "disni", "roce");

    private Providers() {
    }

    /** The provider of this name; for {@code auto} the first that can serve all of these addresses. */
    static RdmaProvider choose(String name, List<InetAddress> addresses, Iterable<RdmaProvider> there)
            throws StartException {
        List<RdmaProvider> all = new ArrayList<>();
        there.forEach(all::add);
        return name.equals("auto") ? first(addresses, all) : named(name, all);
    }

    private static RdmaProvider named(String name, List<RdmaProvider> there) throws StartException {
        RdmaProvider provider = find(name, there).orElseThrow(() -> new StartException("this build has no provider \""
            + name + "\"; it has " + names(there) + ". Set jsrpt.provider to one of them"));
        Optional<String> reason = provider.unavailable();
        if (reason.isPresent()) {
            throw new StartException("the provider \"" + name + "\" cannot run on this host: " + reason.get());
        }
        return provider;
    }

    private static RdmaProvider first(List<InetAddress> addresses, List<RdmaProvider> there) throws StartException {
        StringBuilder reasons = new StringBuilder();
        for (String name : PREFERENCE) {
            RdmaProvider provider = find(name, there).orElse(null);
            Optional<String> reason = provider == null ? Optional.of("not in this build")
                : provider.unavailable(addresses);
            if (reason.isEmpty()) {
                LOG.info("provider {}{}", name, reasons);
                return provider;
            }
            reasons.append("; ").append(name).append(": ").append(reason.get());
        }
        throw new StartException("no provider can run on this host" + reasons);
    }

    private static Optional<RdmaProvider> find(String name, List<RdmaProvider> there) {
        return there.stream().filter(provider -> provider.name().equals(name)).findFirst();
    }

    private static String names(List<RdmaProvider> there) {
        return there.isEmpty() ? "none at all"
            : String.join(", ", there.stream().map(RdmaProvider::name).sorted().toList());
    }
}
