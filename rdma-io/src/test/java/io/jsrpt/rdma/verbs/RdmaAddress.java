package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaSettings;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** Finds an address of this host that an RDMA device has. */
final class RdmaAddress {
    private RdmaAddress() {}

    static InetAddress ofThisHost() throws SocketException {
        List<InetAddress> all = NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
            .toList();
        for (InetAddress address : all) {
            try {
                new VerbsProvider().open(RdmaSettings.of(List.of(address))).close();
                return address;
            } catch (RdmaException _) {
                continue;
            }
        }
        throw new TestAbortedException("no RDMA device has one of the addresses " + all);
    }
}
