package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RDMA devices that this host has, whoever uses them. */
final class HostDevices {
    private static final Logger LOG = LoggerFactory.getLogger(HostDevices.class);
    private static final Path CONNECTION_MANAGER = Path.of("/dev/infiniband/rdma_cm");

    private HostDevices() {}

    /** A port of a device, with the entries of its GID table. */
    record HostPort(String device, Context.Port port, List<Gid> gids) {}

    /** All ports of all devices that can be opened. Only where the libraries have no {@link Libraries#problem}. */
    static List<HostPort> ports() {
        List<HostPort> ports = new ArrayList<>();
        long list = Ibverbs.getDeviceList();
        if (list == 0) {
            return ports;
        }
        try {
            long at = list;
            for (long device = Raw.getLong(at); device != 0; device = Raw.getLong(at)) {
                addPorts(device, ports);
                at += Long.BYTES;
            }
        } finally {
            Ibverbs.freeDeviceList(list);
        }
        return ports;
    }

    private static void addPorts(long device, List<HostPort> to) {
        Context context;
        try {
            context = Context.open(device);
        } catch (RdmaException e) {
            LOG.warn("{} is left out: {}", Ibverbs.getDeviceName(device), e.getMessage());
            return;
        }
        try {
            for (int number = 1; number <= context.ports(); number++) {
                Context.Port port = context.query(number);
                to.add(new HostPort(context.name(), port, context.gids(number, port.gids())));
            }
            context.close();
        } catch (RdmaException e) {
            LOG.warn("{} cannot be described: {}", context.name(), e.getMessage());
        }
    }

    /** Why no device can be used, in one line; empty when one has an active port. */
    static Optional<String> problem() {
        List<HostPort> ports = ports();
        if (ports.isEmpty()) {
            return Optional.of("this host has no RDMA device that can be opened");
        }
        if (!Files.isReadable(CONNECTION_MANAGER)) {
            return Optional.of("no access to " + CONNECTION_MANAGER + ": the kernel module rdma_ucm is needed");
        }
        return ports.stream().anyMatch(port -> port.port().active())
            ? Optional.empty()
            : Optional.of("no RDMA device of this host has an active port");
    }
}
