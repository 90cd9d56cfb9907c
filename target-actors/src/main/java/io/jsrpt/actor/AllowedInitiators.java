package io.jsrpt.actor;

import io.jsrpt.rdma.Gid;
import io.jsrpt.srp.PortId;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which initiators may log in. Immutable.
 *
 * @param everyone whether all may, whatever the names
 * @param names see {@link #of}; in the form that {@link #namesOf} gives
 */
public record AllowedInitiators(boolean everyone, Set<String> names) {
    /** No rule: every initiator is admitted. */
    public static final AllowedInitiators EVERYONE = new AllowedInitiators(true, Set.of());

    private static final Pattern GUID = Pattern.compile("(\\p{XDigit}{1,4}:){3}\\p{XDigit}{1,4}");

    public AllowedInitiators {
        names = Set.copyOf(names);
    }

    /**
     * Admits the initiators with one of these names. A name is an initiator port identifier ({@code 0x} and up to 32
     * hexadecimal digits), the address of the port that the initiator logs in from (IPv4 or IPv6; an InfiniBand GID
     * looks like the latter), or the GUID of that port ({@code 0002:c903:00a1:b2c3}).
     *
     * @throws IllegalArgumentException naming each name that has none of these forms
     */
    public static AllowedInitiators of(List<String> names) {
        Set<String> normalised = new LinkedHashSet<>();
        StringBuilder bad = new StringBuilder();
        for (String name : names) {
            Optional<String> form = normalise(name.strip());
            form.ifPresent(normalised::add);
            if (form.isEmpty()) {
                bad.append(bad.isEmpty() ? "" : ", ").append('"').append(name).append('"');
            }
        }
        if (!bad.isEmpty()) {
            throw new IllegalArgumentException(
                    "neither an initiator port identifier, nor an address, nor a port GUID: " + bad);
        }
        return new AllowedInitiators(false, normalised);
    }

    /** Every name that a rule may use for this initiator, the most specific first. */
    static List<String> namesOf(PortId initiator, Gid remote) {
        return List.of(initiator.toString(), address(remote), guid(remote.interfaceId()));
    }

    /** Whether this initiator may log in. */
    boolean admits(PortId initiator, Gid remote) {
        return everyone || namesOf(initiator, remote).stream().anyMatch(names::contains);
    }

    /** A port's GID as an address. */
    static String address(Gid gid) {
        return gid.toAddress().getHostAddress();
    }

    private static Optional<String> normalise(String name) {
        if (name.startsWith("0x") || name.startsWith("0X")) {
            return PortId.parse(name).map(PortId::toString);
        }
        if (GUID.matcher(name).matches()) {
            long guid = 0;
            for (String group : name.split(":")) {
                guid = guid << 16 | HexFormat.fromHexDigits(group);
            }
            return Optional.of(guid(guid));
        }
        try {
            return Optional.of(InetAddress.ofLiteral(name).getHostAddress());
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String guid(long guid) {
        return HexFormat.of().toHexDigits(guid).replaceAll("(.{4})(?!$)", "$1:").toLowerCase(Locale.ROOT);
    }
}
