package io.jsrpt.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaSettings;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the provider says of a host, whatever that host has. */
class VerbsHostTest {
    @Test
    void whyItCannotRunIsOneLine() {
        Optional<String> reason = new VerbsProvider().unavailable();
        assertEquals(reason, new VerbsProvider().unavailable(), "the same at each question");
        reason.ifPresent(text -> {
            assertFalse(text.isBlank());
            assertFalse(text.contains("\n"), text);
        });
    }

    @Test
    void anAddressThatNoDeviceHasIsRefused() throws Exception {
        RdmaSettings settings = RdmaSettings.of(List.of(InetAddress.getByName("192.0.2.1")));
        RdmaException refused =
            assertThrows(RdmaException.class, () -> new VerbsProvider().open(settings));
        assertFalse(refused.getMessage().isBlank());
    }

    @Test
    void onlyHostsWithKnownStructures() {
        assertEquals(Optional.empty(), Libraries.unsupportedHost("Linux", "amd64"));
        assertEquals(Optional.empty(), Libraries.unsupportedHost("Linux", "aarch64"));
        assertTrue(Libraries.unsupportedHost("Mac OS X", "aarch64").orElseThrow().contains("Mac OS X"));
        assertTrue(Libraries.unsupportedHost("Linux", "s390x").orElseThrow().contains("s390x"));
    }

    @Test
    void theLimitOfLockedMemory() {
        String header = "Limit                     Soft Limit           Hard Limit           Units     ";
        assertEquals("8388608 bytes", LockedMemory.limit(List.of(
            header, "Max locked memory         8388608              unlimited            bytes     ")));
        assertEquals("any amount", LockedMemory.limit(List.of(
            header, "Max locked memory         unlimited            unlimited            bytes     ")));
        assertEquals("an unknown amount", LockedMemory.limit(List.of(header)));
    }
}
