package io.jsrpt.conf;

import com.typesafe.config.ConfigValue;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks of the names in a configuration: addresses, GUIDs and initiators. */
final class Names {
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@-]{0,14}");
    private static final Pattern IPV4_LIKE = Pattern.compile("[0-9.]+");
    private static final Pattern GUID = Pattern.compile("(?:0x)?[0-9a-fA-F]{16}");
    private static final Pattern COLON_GUID = Pattern.compile("[0-9a-fA-F]{4}(:[0-9a-fA-F]{4}){3}");
    private static final Pattern PORT_ID = Pattern.compile("0[xX]([0-9a-fA-F]{2}){1,16}");
    /** The service ids that the RDMA/CM port spaces use: 0x0000000001pspppp. */
    private static final long RDMA_CM_SERVICE_IDS = 0x01;

    private Names() {
    }

    /** The addresses to listen on. */
    static List<Configuration.Listen> addresses(Section section, String key) {
        Map<String, Configuration.Listen> found = new LinkedHashMap<>();
        List<ConfigValue> list = section.list(key);
        for (int i = 0; i < list.size(); i++) {
            ConfigValue value = list.get(i);
            String name = String.valueOf(value.unwrapped());
            String place = key + "[" + i + "]";
            Optional<String> wrong = wrongAddress(name);
            if (wrong.isPresent()) {
                section.mistake(value.origin(), place, "is " + Section.shown(value) + wrong.get());
            } else if (found.putIfAbsent(name, new Configuration.Listen(name, value.origin())) != null) {
                section.mistake(value.origin(), place, "names \"" + name + "\" a second time");
            }
        }
        if (list.isEmpty()) {
            section.mistake(key, "names nothing to listen on; give addresses of this host or names of its interfaces,"
                + " such as [\"192.0.2.1\", \"eth1\"]");
        }
        return List.copyOf(found.values());
    }

    private static Optional<String> wrongAddress(String name) {
        if (!isLiteral(name)) {
            return INTERFACE.matcher(name).matches() ? Optional.empty()
                : Optional.of(" but must be an IP address or the name of a network interface");
        }
        Optional<InetAddress> address = literal(name);
        if (address.isEmpty()) {
            return Optional.of(" which is no IP address");
        }
        if (address.get().isAnyLocalAddress()) {
            return Optional.of(" which stands for every address; each packet's checksum covers the local address,"
                + " so name the addresses or an interface");
        }
        return address.get().isMulticastAddress() ? Optional.of(" which is a multicast address") : Optional.empty();
    }

    static boolean isLiteral(String name) {
        return name.contains(":") || IPV4_LIKE.matcher(name).matches();
    }

    static Optional<InetAddress> literal(String name) {
        try {
            return Optional.of(InetAddress.ofLiteral(name));
        } catch (IllegalArgumentException expected) {
            return Optional.empty();
        }
    }

    /** A GUID of 16 hexadecimal digits, the default where it is not given. */
    static long guid(Section section, String key, long otherwise) {
        Optional<String> text = section.optionalText(key);
        if (text.isEmpty()) {
            return otherwise;
        }
        String digits = text.get().startsWith("0x") ? text.get().substring(2) : text.get();
        if (!GUID.matcher(text.get()).matches() || HexFormat.fromHexDigitsToLong(digits) == 0) {
            section.mistake(key, "is \"" + text.get() + "\" but must be 16 hexadecimal digits, not all 0;"
                + " in quotes, since HOCON reads digits as a number");
            return otherwise;
        }
        return HexFormat.fromHexDigitsToLong(digits);
    }

    /** A GUID that is a service id too. */
    static long serviceGuid(Section section, String key, long otherwise) {
        long guid = guid(section, key, otherwise);
        if (guid >>> 24 == RDMA_CM_SERVICE_IDS) {
            section.mistake(key, "lies among the service ids of the RDMA/CM, 0000000001000000 to 0000000001ffffff;"
                + " choose another");
        }
        return guid;
    }

    /** Empty for {@code any}. */
    static Optional<List<String>> initiators(Section section, String key) {
        Optional<ConfigValue> value = section.value(key);
        if (value.isPresent() && "any".equals(value.get().unwrapped())) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        List<ConfigValue> list = section.list(key);
        for (int i = 0; i < list.size(); i++) {
            String name = String.valueOf(list.get(i).unwrapped());
            if (isInitiator(name)) {
                names.add(name);
            } else {
                section.mistake(list.get(i).origin(), key + "[" + i + "]", "is " + Section.shown(list.get(i))
                    + " but must be an IP address, a port GUID such as 0002:c903:00a1:b2c3, or an initiator port"
                    + " identifier such as 0x0002c90300a1b2c3 (0x and up to 32 hexadecimal digits, an even number)");
            }
        }
        return Optional.of(names);
    }

    private static boolean isInitiator(String name) {
        return COLON_GUID.matcher(name).matches() || PORT_ID.matcher(name).matches()
            || (isLiteral(name) && literal(name).isPresent());
    }
}
