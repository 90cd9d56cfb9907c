package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    private static final InetAddress TENTATIVE = InetAddress.ofLiteral("2001:db8::7");
    private static final LocalAddresses HOST = new LocalAddresses(interfaces(),
        address -> !address.equals(TENTATIVE) && isListedOrLoopback(address));

    private static boolean isListedOrLoopback(InetAddress address) {
        return address.isLoopbackAddress() || interfaces().values().stream().anyMatch(all -> all.contains(address));
    }

    private static Map<String, List<InetAddress>> interfaces() {
        Map<String, List<InetAddress>> interfaces = new LinkedHashMap<>();
        interfaces.put("lo", addresses("127.0.0.1", "::1"));
        interfaces.put("eth1", addresses("192.0.2.1", "2001:db8::1", "fe80::1"));
        interfaces.put("eth2", addresses("fe80::2"));
        interfaces.put("eth4", addresses("2001:db8::7"));
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
        assertEquals("a.conf:3: jsrpt.addresses: this host has no address 192.0.2.9; it has lo (127.0.0.1, ::1), eth1"
            + " (192.0.2.1, 2001:db8::1, fe80::1), eth2 (fe80::2), eth4 (2001:db8::7)", missing("192.0.2.9"));
        assertTrue(missing("eth2").startsWith("a.conf:3: jsrpt.addresses: this host has no address but link-local ones"
            + " at interface eth2; it has lo"), () -> missing("eth2"));
        assertTrue(missing("eth3").startsWith("a.conf:3: jsrpt.addresses: this host has no interface that has"
            + " addresses named eth3; it has lo"), () -> missing("eth3"));
    }

    /** As an IPv6 address is while the kernel looks for duplicates of it: listed, but no socket can be bound to it. */
    @Test
    void listedAddressThatCannotBeBoundIsMissing() {
        String expected = "a.conf:3: jsrpt.addresses: this host has 2001:db8::7, but it cannot be used yet";
        assertEquals(expected, missing("2001:db8::7"));
        assertEquals(expected, missing("eth4"));
    }

    @Test
    void addressThatNoInterfaceListsCanBeThere() {
        assertEquals(List.of(), HOST.missing(wanted("127.0.0.2")));
        assertEquals(addresses("127.0.0.2"), HOST.resolve(wanted("127.0.0.2")));
    }

    @Test
    void addressesAreWrittenShort() {
        for (String text : List.of("::", "::1", "fe80::1", "2001:db8::", "1:0:2::3", "1:0:0:2::3", "1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:0:8", "192.0.2.1")) {
            assertEquals(text, LocalAddresses.text(InetAddress.ofLiteral(text)));
        }
        assertEquals("1::4:0:0:7:8", LocalAddresses.text(InetAddress.ofLiteral("1:0:0:4:0:0:7:8")));
    }

    private static String missing(String name) {
        List<Mistake> missing = HOST.missing(wanted(name));
        assertEquals(1, missing.size(), missing::toString);
        return missing.getFirst().toString();
    }
}
