package io.jsrpt.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.Gid;
import io.jsrpt.srp.PortId;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AllowedInitiatorsTest {
    private static final PortId PORT = new PortId(0, 0x0002_c903_00a1_b2c3L);
    private static final Gid IPV4 = Gid.of(InetAddress.ofLiteral("10.77.0.2"));
    private static final Gid INFINIBAND = new Gid(0xfe80_0000_0000_0000L, 0x0002_c903_00a1_b2c4L);

    @ParameterizedTest
    @ValueSource(strings = {
        "0x00000000000000000002c90300a1b2c3", "0X0002C90300A1B2C3", "0x0002c90300a1b2c3", " 10.77.0.2 "})
    void admitsByEachFormOfTheName(String name) {
        assertTrue(AllowedInitiators.of(List.of(name)).admits(PORT, IPV4));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "fe80::2:c903:a1:b2c4", "fe80:0:0:0:2:c903:a1:b2c4", "0002:c903:00a1:b2c4", "2:c903:a1:b2c4"})
    void admitsAnInfinibandPortByGidOrGuid(String name) {
        assertTrue(AllowedInitiators.of(List.of(name)).admits(PORT, INFINIBAND));
        assertFalse(AllowedInitiators.of(List.of(name)).admits(PORT, IPV4));
    }

    @Test
    void admitsNobodyElse() {
        assertFalse(AllowedInitiators.of(List.of("0x01", "10.77.0.3")).admits(PORT, IPV4));
        assertFalse(AllowedInitiators.of(List.of()).admits(PORT, IPV4));
        assertTrue(AllowedInitiators.EVERYONE.admits(PORT, IPV4));
    }

    /** Report 25 (ESXi sees no units since the rule had another name): each name that is told admits the initiator. */
    @Test
    void everyNameOfAnInitiatorWorksAsARule() {
        for (Gid remote : List.of(IPV4, INFINIBAND)) {
            for (String name : AllowedInitiators.namesOf(PORT, remote)) {
                assertTrue(AllowedInitiators.of(List.of(name)).admits(PORT, remote), name);
            }
        }
    }

    @Test
    void namesEveryMistake() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> AllowedInitiators.of(List.of("10.77.0.2", "0x123", "a host name", "10.77.0.300")));
        assertEquals("neither an initiator port identifier, nor an address, nor a port GUID: "
                + "\"0x123\", \"a host name\", \"10.77.0.300\"", e.getMessage());
    }
}
