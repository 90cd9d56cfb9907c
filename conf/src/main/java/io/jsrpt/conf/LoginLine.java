package io.jsrpt.conf;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/**
 * The line that logs a Linux initiator in, as {@code add_target} of the kernel module {@code ib_srp} parses it
 * ({@code srp_parse_options}; addresses {@code srp_parse_in}).
 */
final class LoginLine {
    /** What soft-RoCE's device is called if made as README.md says, with its one port. */
    private static final String DEVICE_AND_PORT = "rxe0-1";

    private LoginLine() {
    }

    static String of(Configuration.Target target, InetAddress address, int port) {
        HexFormat hex = HexFormat.of();
        return "echo 'id_ext=" + hex.toHexDigits(target.idExt()) + ",ioc_guid=" + hex.toHexDigits(target.iocGuid())
            + ",dest=" + destination(address, port) + "' > /sys/class/infiniband_srp/srp-" + DEVICE_AND_PORT
            + "/add_target";
    }

    /** The address and port in one, with the brackets that an IPv6 address needs. */
    static String endpoint(InetAddress address, int port) {
        return endpoint(address, "", port);
    }

    /** A link-local address goes with the name of an interface of the initiator. */
    private static String destination(InetAddress address, int port) {
        return endpoint(address, address instanceof Inet6Address && address.isLinkLocalAddress() ? "%INTERFACE" : "",
            port);
    }

    private static String endpoint(InetAddress address, String scope, int port) {
        String text = LocalAddresses.text(address) + scope;
        return (address instanceof Inet6Address ? "[" + text + "]" : text) + ":" + port;
    }
}
