package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import io.jsrpt.rdma.contract.ProviderContract;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/** The provider {@code roce} over real UDP, between two addresses of the loopback interface. */
class RoceContractTest {
    private static RdmaService open(InetAddress address) throws RdmaException {
        return new RoceProvider().open(RdmaSettings.of(List.of(address)));
    }

    @TestFactory
    Stream<DynamicNode> contract() {
        List<InetAddress> addresses = Loopback.addresses(2);
        return ProviderContract.tests(() -> open(addresses.get(0)), () -> open(addresses.get(1)));
    }
}
