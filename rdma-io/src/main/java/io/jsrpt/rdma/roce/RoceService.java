package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The opened provider: a device for each address. */
final class RoceService implements RdmaService {
    private final List<RoceDevice> devices;

    private RoceService(List<RoceDevice> devices) {
        this.devices = List.copyOf(devices);
    }

    static RoceService open(RdmaSettings settings) throws RdmaException {
        List<RoceDevice> opened = new ArrayList<>();
        AtomicLong idNumbers = new AtomicLong();
        Tuning tuning = Tuning.fromProperties();
        try {
            for (InetAddress address : settings.addresses()) {
                PacketSocket socket = PacketSockets.open(address, settings.socketBufferBytes());
                String name = "roce" + opened.size();
                opened.add(RoceDevice.start(name, socket, settings.maxPathMtu(), tuning, idNumbers));
            }
            return new RoceService(opened);
        } catch (RdmaException e) {
            opened.forEach(RoceDevice::close);
            throw e;
        }
    }

    @Override
    public List<RdmaDevice> devices() {
        return List.copyOf(devices);
    }

    @Override
    public void close() {
        devices.forEach(RoceDevice::close);
    }
}
