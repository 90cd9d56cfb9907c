package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.Gid;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CmaHeaderTest {
    private static final Gid A = Captured.gid("fd00::2");
    private static final Gid B = Captured.gid("fd00::3");

    @Test
    void ipv6AddressesFillAllSixteenBytes() {
        byte[] data = CmaHeader.between(A, 0xbeef, B).prepend(new byte[] {1, 2});
        assertEquals(
                "0060beef" + "fd000000000000000000000000000002" + "fd000000000000000000000000000003" + "0102",
                HexFormat.of().formatHex(data));
        assertEquals(Optional.of(new CmaHeader(6, 0xbeef, A, B)), CmaHeader.decode(data));
        assertEquals("0102", HexFormat.of().formatHex(CmaHeader.strip(data)));
    }

    @Test
    void otherVersionsAreRefused() {
        byte[] data = CmaHeader.between(A, 1, B).prepend(new byte[0]);
        data[0] = 0x10;
        assertTrue(CmaHeader.decode(data).isEmpty());
        data[0] = 0;
        data[1] = 0x50;
        assertTrue(CmaHeader.decode(data).isEmpty());
    }

    @Test
    void tooFewBytesAreNoHeader() {
        assertTrue(CmaHeader.decode(new byte[35]).isEmpty());
    }
}
