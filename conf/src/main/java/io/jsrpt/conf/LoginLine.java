package io.jsrpt.conf;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/** The line that logs a Linux initiator in, as {@code add_target} of the kernel module {@code ib_srp} parses it. */
final class LoginLine {
    private LoginLine() {
    }

    static String of(Configuration.Target target, InetAddress address, int port) {
        HexFormat hex = HexFormat.of();
        return "echo \"id_ext=" + hex.toHexDigits(target.idExt()) + ",ioc_guid=" + hex.toHexDigits(target.iocGuid())
            + ",dest=" + endpoint(address, port)
            + "\" > /sys/class/infiniband_srp/srp-<device>-<port>/add_target";
    }

    /** The address and port in one, with the brackets that an IPv6 address needs. */
    static String endpoint(InetAddress address, int port) {
        String text = LocalAddresses.text(address);
        return (address instanceof Inet6Address ? "[" + text + "]" : text) + ":" + port;
    }
}
