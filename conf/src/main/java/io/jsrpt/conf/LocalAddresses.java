package io.jsrpt.conf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The addresses that a host has. What counts is that a socket can be bound to one. That is so while its interface has
 * no carrier, as a bridge without ports or a network card without a cable; also for addresses that no interface lists,
 * such as 127.0.0.2. It is not so for an IPv6 address while the kernel still looks for duplicates of it.
 *
 * @param byInterface the addresses that each interface lists
 * @param bindable whether a socket can be bound to an address now
 */
record LocalAddresses(Map<String, List<InetAddress>> byInterface, Predicate<InetAddress> bindable) {
    static LocalAddresses ofThisHost() {
        try {
            Map<String, List<InetAddress>> found = new LinkedHashMap<>();
            for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
                List<InetAddress> addresses = each.inetAddresses().toList();
                if (!addresses.isEmpty()) {
                    found.put(each.getName(), addresses);
                }
            }
            return new LocalAddresses(found, LocalAddresses::canBind);
        } catch (SocketException e) {
            throw new UncheckedIOException("cannot ask for the network interfaces", e);
        }
    }

    /** The entries that this host has no address for, each with what would do. */
    List<Mistake> missing(List<Configuration.Listen> wanted) {
        List<Mistake> missing = new ArrayList<>();
        for (Configuration.Listen listen : wanted) {
            wrong(listen.name()).ifPresent(what -> missing.add(
                Mistake.at(listen.origin(), ConfigurationReader.ROOT + ".addresses", what)));
        }
        return missing;
    }

    private Optional<String> wrong(String name) {
        List<InetAddress> found = of(name);
        if (found.isEmpty()) {
            String what = Names.isLiteral(name) ? "address " : byInterface.containsKey(name)
                ? "address but link-local ones at interface " : "interface that has addresses named ";
            return Optional.of("this host has no " + what + name + "; it has " + this);
        }
        return found.stream().filter(bindable.negate()).findFirst().map(address -> "this host has " + text(address)
            + ", but it cannot be used yet");
    }

    /** All addresses that the entries stand for, each once. */
    List<InetAddress> resolve(List<Configuration.Listen> wanted) {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        wanted.forEach(listen -> addresses.addAll(of(listen.name())));
        return List.copyOf(addresses);
    }

    private List<InetAddress> of(String name) {
        if (!Names.isLiteral(name)) {
            return byInterface.getOrDefault(name, List.of()).stream().filter(a -> !a.isLinkLocalAddress())
                .map(LocalAddresses::withoutScope).toList();
        }
        InetAddress literal = Names.literal(name).orElseThrow();
        Optional<InetAddress> listed = byInterface.values().stream().flatMap(List::stream)
            .filter(a -> same(a, literal)).findFirst();
        if (listed.isPresent()) {
            // a link-local address says something together with its interface only
            return List.of(literal.isLinkLocalAddress() ? listed.get() : literal);
        }
        return bindable.test(literal) ? List.of(literal) : List.of();
    }

    private static boolean canBind(InetAddress address) {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address, 0))) {
            return socket.isBound();
        } catch (IOException _) {
            return false;
        }
    }

    private static boolean same(InetAddress a, InetAddress b) {
        return Arrays.equals(a.getAddress(), b.getAddress());
    }

    /** Only link-local addresses need their scope, and it would make equal addresses differ. */
    private static InetAddress withoutScope(InetAddress address) {
        return address instanceof Inet6Address ? InetAddress.ofLiteral(unscoped(address)) : address;
    }

    /** The address as people write it, IPv6 as in RFC 5952: the longest run of zeros, of two at least, is left out. */
    static String text(InetAddress address) {
        String text = unscoped(address);
        if (!(address instanceof Inet6Address)) {
            return text;
        }
        for (int groups = 8; groups >= 2; groups--) {
            Matcher zeros = Pattern.compile("(^|:)0(:0){" + (groups - 1) + "}(:|$)").matcher(text);
            if (zeros.find()) {
                return text.substring(0, zeros.start()) + "::" + text.substring(zeros.end());
            }
        }
        return text;
    }

    private static String unscoped(InetAddress address) {
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
