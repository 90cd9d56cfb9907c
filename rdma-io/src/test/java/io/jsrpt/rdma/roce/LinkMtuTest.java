package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.PathMtu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkMtuTest {
    @ParameterizedTest
    @CsvSource({
        "1280, 1024, 1024",
        "1500, 1024, 1024",
        "2107, 1024, 1024",
        "2108, 2048, 1024",
        "2128, 2048, 2048",
        "4155, 2048, 2048",
        "4156, 4096, 2048",
        "4176, 4096, 4096",
        "4200, 4096, 4096",
        "9000, 4096, 4096",
        "65536, 4096, 4096",
        "68, 256, 256",
    })
    void theLongestPacketFitsIntoTheInterfacesMtu(int link, int overIpv4, int overIpv6) {
        assertEquals(overIpv4, LinkMtu.of(link, true).bytes());
        assertEquals(overIpv6, LinkMtu.of(link, false).bytes());
    }

    /** Otherwise its requests would be refused. */
    @Test
    void noSmallerThanWhatLinuxFindsForTheSameInterface() {
        for (int link = 400; link < 10_000; link++) {
            int linux = PathMtu.MTU_256.bytes();
            for (PathMtu mtu : PathMtu.values()) {
                linux = mtu.bytes() <= link - 80 ? mtu.bytes() : linux;
            }
            assertTrue(LinkMtu.of(link, true).bytes() >= linux, "IPv4, " + link);
            assertTrue(LinkMtu.of(link, false).bytes() >= linux, "IPv6, " + link);
        }
    }
}
