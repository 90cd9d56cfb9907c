package io.jsrpt.rdma.verbs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.contract.ProviderContract;
import io.jsrpt.rdma.contract.ProviderContract.Limits;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** The provider {@code verbs} over an RDMA device of this host, both sides at the device's own address. */
class VerbsContractTest {
    private static final String ROUNDED_UP = "devices make completion queues larger than asked for";
    private static final String OPERATION_ERROR = "soft-RoCE tells a local operation error";

    private static final Map<String, String> OF_ALL = Map.of("a queue that overruns costs its queue pairs", ROUNDED_UP);

    private static final Map<String, String> OF_SOFT_ROCE = Map.of(
        "a queue that overruns costs its queue pairs", ROUNDED_UP,
        "SEND from memory without a key", OPERATION_ERROR,
        "WRITE from memory without a key", OPERATION_ERROR,
        "local memory of another domain", OPERATION_ERROR,
        "a message longer than the receive", OPERATION_ERROR,
        "a receive without a key", OPERATION_ERROR,
        "a receive beyond a region", OPERATION_ERROR);

    private static RdmaService open(InetAddress address) throws RdmaException {
        return new VerbsProvider().open(RdmaSettings.of(List.of(address)));
    }

    @TestFactory
    Stream<DynamicNode> contract() throws Exception {
        Optional<String> problem = new VerbsProvider().unavailable();
        assumeTrue(problem.isEmpty(), () -> "not tested on this host: " + problem.orElse(""));
        InetAddress address = RdmaAddress.ofThisHost();
        Map<String, String> deviations;
        try (RdmaService service = open(address)) {
            deviations = service.devices().getFirst().name().startsWith("rxe") ? OF_SOFT_ROCE : OF_ALL;
        }
        return ProviderContract.tests(
            () -> open(address), () -> open(address), new Limits(ServiceId.rdmaTcp(5001), deviations));
    }
}
