package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jsrpt.rdma.RdmaProvider;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which provider a configuration gets. */
class ProvidersTest {
    private record Named(String name, Optional<String> unavailable) implements RdmaProvider {
        @Override
        public RdmaService open(RdmaSettings settings) {
            throw new AssertionError("choosing a provider must not open it");
        }
    }

    /** Runs on this host, but has the address of none of its devices. */
    private record Elsewhere(String name) implements RdmaProvider {
        @Override
        public Optional<String> unavailable() {
            return Optional.empty();
        }

        @Override
        public Optional<String> unavailable(List<InetAddress> addresses) {
            return Optional.of("no device has " + addresses);
        }

        @Override
        public RdmaService open(RdmaSettings settings) {
            throw new AssertionError("choosing a provider must not open it");
        }
    }

    private static final List<InetAddress> ADDRESSES = List.of(InetAddress.getLoopbackAddress());
    private static final RdmaProvider ROCE = new Named("roce", Optional.empty());
    private static final RdmaProvider VERBS = new Named("verbs", Optional.of("no librdmacm.so.1"));

    private static String refusal(String name, RdmaProvider... there) {
        return assertThrows(StartException.class, () -> Providers.choose(name, ADDRESSES, List.of(there))).getMessage();
    }

    @Test
    void theNamedOneIsTaken() throws Exception {
        assertEquals(ROCE, Providers.choose("roce", ADDRESSES, List.of(VERBS, ROCE)));
    }

    @Test
    void autoTakesTheBestThatCanRun() throws Exception {
        assertEquals(ROCE, Providers.choose("auto", ADDRESSES, List.of(ROCE, VERBS)));
        RdmaProvider able = new Named("verbs", Optional.empty());
        assertEquals(able, Providers.choose("auto", ADDRESSES, List.of(ROCE, able)));
    }

    @Test
    void autoTakesOneThatHasTheAddresses() throws Exception {
        assertEquals(ROCE, Providers.choose("auto", ADDRESSES, List.of(new Elsewhere("verbs"), ROCE)));
        RdmaProvider named = new Elsewhere("verbs");
        assertEquals(named, Providers.choose("verbs", ADDRESSES, List.of(named, ROCE)), "opening it will say why not");
    }

    @Test
    void refusalsSayWhy() {
        assertEquals("this build has no provider \"disni\"; it has roce, verbs. Set jsrpt.provider to one of them",
            refusal("disni", VERBS, ROCE));
        assertEquals("the provider \"verbs\" cannot run on this host: no librdmacm.so.1",
            refusal("verbs", VERBS, ROCE));
        assertEquals("no provider can run on this host; verbs: no librdmacm.so.1; disni: not in this build; roce: not"
            + " in this build", refusal("auto", VERBS));
    }
}
