package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** The line for the kernel's initiator: {@code srp_parse_options} takes 16 digits, and IPv6 in brackets. */
class LoginLineTest {
    private static final Configuration.Target TARGET = new Configuration.Target("t", 2, 0x00a1b2c3d4e5f607L);

    @Test
    void ipv4() {
        assertEquals("echo 'id_ext=0000000000000002,ioc_guid=00a1b2c3d4e5f607,dest=192.0.2.1:5555'"
            + " > /sys/class/infiniband_srp/srp-rxe0-1/add_target",
            LoginLine.of(TARGET, InetAddress.ofLiteral("192.0.2.1"), 5555));
    }

    @Test
    void ipv6StandsInBrackets() {
        assertEquals("[fd77::1]:5555", LoginLine.endpoint(InetAddress.ofLiteral("fd77::1"), 5555));
    }

    @Test
    void linkLocalAddressGoesWithAnInterfaceOfTheInitiator() {
        String line = LoginLine.of(TARGET, InetAddress.ofLiteral("fe80::1"), 5555);
        assertEquals("dest=[fe80::1%INTERFACE]:5555'", line.substring(line.indexOf("dest"), line.indexOf(" >")));
    }
}
