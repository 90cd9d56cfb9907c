package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigOriginFactory;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the entries of {@code addresses} stand for. */
class LocalAddressesTest {
    private static final LocalAddresses HOST = new LocalAddresses(interfaces());

    private static Map<String, List<InetAddress>> interfaces() {
        Map<String, List<InetAddress>> interfaces = new LinkedHashMap<>();
        interfaces.put("lo", addresses("127.0.0.1", "::1"));
        interfaces.put("eth1", addresses("192.0.2.1", "2001:db8::1", "fe80::1"));
        interfaces.put("eth2", addresses("fe80::2"));
        return interfaces;
    }

    private static List<InetAddress> addresses(String... literals) {
        return Stream.of(literals).map(InetAddress::ofLiteral).toList();
    }

    private static List<Configuration.Listen> wanted(String... names) {
        return Stream.of(names).map(n -> new Configuration.Listen(n, ConfigOriginFactory.newFile("a.conf")
            .withLineNumber(3))).toList();
    }

    /** {@code NetworkInterface.isUp} says no of an interface without carrier; its addresses can be bound still. */
    @Test
    void eachAddressOfThisHostIsThereWhateverItsLinkDoes() throws Exception {
        LocalAddresses here = LocalAddresses.ofThisHost();
        for (NetworkInterface link : NetworkInterface.networkInterfaces().toList()) {
            for (InetAddress address : link.inetAddresses().toList()) {
                assertEquals(List.of(), here.missing(wanted(LocalAddresses.text(address))));
            }
        }
    }

    @Test
    void interfaceStandsForAllButLinkLocalAddresses() {
        assertEquals(addresses("192.0.2.1", "2001:db8::1"), HOST.resolve(wanted("eth1")));
    }

    @Test
    void addressNamedTwiceIsServedOnce() {
        assertEquals(addresses("2001:db8::1", "192.0.2.1"), HOST.resolve(wanted("2001:db8:0::1", "eth1")));
    }

    @Test
    void missingOnesAreNamedWithWhatThereIs() {
        assertEquals(List.of(), HOST.missing(wanted("::1", "eth1", "fe80::2")));
        assertEquals(List.of("a.conf:3: jsrpt.addresses: this host has no address 192.0.2.9; it has lo (127.0.0.1,"
            + " 0:0:0:0:0:0:0:1), eth1 (192.0.2.1, 2001:db8:0:0:0:0:0:1, fe80:0:0:0:0:0:0:1), eth2"
            + " (fe80:0:0:0:0:0:0:2)"), HOST.missing(wanted("192.0.2.9")).stream().map(Mistake::toString).toList());
        assertEquals(1, HOST.missing(wanted("eth2")).size());
        assertEquals(1, HOST.missing(wanted("eth3")).size());
    }
}
