package io.jsrpt.conf;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PortAttributes;
import io.jsrpt.rdma.RdmaProvider;
import io.jsrpt.rdma.RdmaProvider.HostDevice;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "devices", description = "Prints which providers can run on this host, and the RDMA devices that they"
    + " find: ports, their state, and their GIDs with the addresses that these stand for.")
final class DevicesCommand implements Callable<Integer> {
    private static final long MAPPED_IPV4 = 0xffffL;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        for (RdmaProvider provider : ServiceLoader.load(RdmaProvider.class)) {
            print(provider, out);
        }
        return Main.DONE;
    }

    static void print(RdmaProvider provider, PrintWriter out) {
        Optional<String> reason = provider.unavailable();
        out.println(provider.name() + ": " + reason.map(why -> "cannot run on this host: " + why).orElse("can run"));
        for (HostDevice device : provider.devices()) {
            for (PortAttributes port : device.ports()) {
                out.println("  " + device.name() + " port " + port.number() + ": "
                    + (port.active() ? "active" : "not active") + ", "
                    + (port.linkLayer() == PortAttributes.LinkLayer.ETHERNET ? "Ethernet" : "InfiniBand")
                    + ", path MTU " + port.maxMtu().bytes());
                port.gids().forEach(gid -> out.println("    " + gid + address(gid)));
            }
        }
    }

    /** The address that a GID of RoCE stands for, where people would not see it. */
    private static String address(Gid gid) {
        boolean ipv4 = gid.subnetPrefix() == 0 && gid.interfaceId() >>> 32 == MAPPED_IPV4;
        return ipv4 ? " (" + gid.toAddress().getHostAddress() + ")" : "";
    }
}
