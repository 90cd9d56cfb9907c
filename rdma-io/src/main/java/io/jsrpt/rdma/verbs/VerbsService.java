package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** The opened provider: a device for each address, also where several are of the same adapter. */
final class VerbsService implements RdmaService {
    private final List<VerbsDevice> devices;

    private VerbsService(List<VerbsDevice> devices) {
        this.devices = List.copyOf(devices);
    }

    static VerbsService open(RdmaSettings settings) throws RdmaException {
        List<VerbsDevice> opened = new ArrayList<>();
        Set<String> names = new HashSet<>();
        AtomicLong idNumbers = new AtomicLong();
        try {
            for (InetAddress address : settings.addresses()) {
                VerbsDevice device = VerbsDevice.open(address, names, idNumbers);
                opened.add(device);
                names.add(device.name());
            }
            return new VerbsService(opened);
        } catch (RdmaException e) {
            opened.forEach(VerbsDevice::close);
            throw e;
        }
    }

    @Override
    public List<RdmaDevice> devices() {
        return List.copyOf(devices);
    }

    @Override
    public void close() {
        devices.forEach(VerbsDevice::close);
    }
}
