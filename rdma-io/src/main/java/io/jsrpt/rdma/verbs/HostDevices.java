package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.PortAttributes;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaProvider.HostDevice;
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

    /** All devices that can be opened. Only where the libraries have no {@link Libraries#problem}. */
    static List<HostDevice> all() {
        List<HostDevice> devices = new ArrayList<>();
        long list = Ibverbs.getDeviceList();
        if (list == 0) {
            return devices;
        }
        try {
            long at = list;
            for (long device = Raw.getLong(at); device != 0; device = Raw.getLong(at)) {
                try {
                    devices.add(describe(device));
                } catch (RdmaException e) {
                    LOG.warn("an RDMA device is left out: {}", e.getMessage());
                }
                at += Long.BYTES;
            }
        } finally {
            Ibverbs.freeDeviceList(list);
        }
        return devices;
    }

    private static HostDevice describe(long device) throws RdmaException {
        Context context = Context.open(device);
        List<PortAttributes> ports = new ArrayList<>();
        try {
            for (int number = 1; number <= context.ports(); number++) {
                Context.Port port = context.query(number);
                ports.add(new PortAttributes(number, port.linkLayer(), port.active(), port.activeMtu(),
                    context.gids(number, port.gids())));
            }
        } finally {
            context.close();
        }
        return new HostDevice(context.name(), ports);
    }

    /** Why no device can be used, in one line; empty when one has an active port. */
    static Optional<String> problem() {
        List<HostDevice> devices = all();
        if (devices.isEmpty()) {
            return Optional.of("this host has no RDMA device that can be opened");
        }
        if (!Files.isReadable(CONNECTION_MANAGER)) {
            return Optional.of("no access to " + CONNECTION_MANAGER + ": the kernel module rdma_ucm is needed");
        }
        return devices.stream().flatMap(device -> device.ports().stream()).anyMatch(PortAttributes::active)
            ? Optional.empty()
            : Optional.of("no RDMA device of this host has an active port");
    }
}
