package io.jsrpt.conf;

import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The addresses that a host has, by network interface. The state of the interface does not matter: an address can be
 * bound while its interface has no carrier, as a bridge without ports or a network card without a cable.
 *
 * @param byInterface those of each interface
 */
record LocalAddresses(Map<String, List<InetAddress>> byInterface) {
    static LocalAddresses ofThisHost() {
        try {
            Map<String, List<InetAddress>> found = new LinkedHashMap<>();
            for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
                List<InetAddress> addresses = each.inetAddresses().toList();
                if (!addresses.isEmpty()) {
                    found.put(each.getName(), addresses);
                }
            }
            return new LocalAddresses(found);
        } catch (SocketException e) {
            throw new UncheckedIOException("cannot ask for the network interfaces", e);
        }
    }

    /** The entries that this host has no address for, each with what would do. */
    List<Mistake> missing(List<Configuration.Listen> wanted) {
        List<Mistake> missing = new ArrayList<>();
        for (Configuration.Listen listen : wanted) {
            if (of(listen.name()).isEmpty()) {
                missing.add(Mistake.at(listen.origin(), ConfigurationReader.ROOT + ".addresses", "this host has no "
                    + (Names.isLiteral(listen.name()) ? "address " : "interface that has addresses named ")
                    + listen.name() + "; it has " + this));
            }
        }
        return missing;
    }

    /** All addresses that the entries stand for, each once. */
    List<InetAddress> resolve(List<Configuration.Listen> wanted) {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        wanted.forEach(listen -> addresses.addAll(of(listen.name())));
        return List.copyOf(addresses);
    }

    private List<InetAddress> of(String name) {
        if (Names.isLiteral(name)) {
            InetAddress literal = Names.literal(name).orElseThrow();
            return byInterface.values().stream().anyMatch(all -> all.stream().anyMatch(a -> same(a, literal)))
                ? List.of(literal) : List.of();
        }
        return byInterface.getOrDefault(name, List.of()).stream().filter(a -> !a.isLinkLocalAddress())
            .map(LocalAddresses::withoutScope).toList();
    }

    private static boolean same(InetAddress a, InetAddress b) {
        return Arrays.equals(a.getAddress(), b.getAddress());
    }

    /** Only link-local addresses need their scope, and it would make equal addresses differ. */
    private static InetAddress withoutScope(InetAddress address) {
        return address instanceof Inet6Address ? InetAddress.ofLiteral(text(address)) : address;
    }

    static String text(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    @Override
    public String toString() {
        return byInterface.entrySet().stream()
            .map(e -> e.getKey() + " (" + e.getValue().stream().map(LocalAddresses::text)
                .collect(Collectors.joining(", ")) + ")")
            .collect(Collectors.joining(", "));
    }
}
