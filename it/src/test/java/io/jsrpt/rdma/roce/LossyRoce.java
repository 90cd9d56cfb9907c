package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaProvider;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** The provider {@code roce} on a network that loses packets that come in, connection management among them. */
public final class LossyRoce implements RdmaProvider {
    private final long seed;
    private final AtomicLong lost = new AtomicLong();
    private volatile double loss;

    /** Loses nothing yet. */
    public LossyRoce(long seed) {
        this.seed = seed;
    }

    /** From now on each packet is lost with this chance, 0 to 1. */
    public void loss(double chance) {
        loss = chance;
    }

    /** How many packets were lost. */
    public long lost() {
        return lost.get();
    }

    boolean loses(Random random) {
        boolean gone = random.nextDouble() < loss;
        if (gone) {
            lost.incrementAndGet();
        }
        return gone;
    }

    @Override
    public String name() {
        return "lossy-roce";
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public RdmaService open(RdmaSettings settings) throws RdmaException {
        List<RoceDevice> opened = new ArrayList<>();
        AtomicLong idNumbers = new AtomicLong();
        try {
            for (InetAddress address : settings.addresses()) {
                PacketSocket socket = new LossyPacketSocket(
                        PacketSockets.open(address, settings.socketBufferBytes()), this, new Random(seed));
                opened.add(RoceDevice.start(
                        "lossy" + opened.size(), socket, settings.maxPathMtu(), Tuning.fromProperties(), idNumbers));
            }
        } catch (RdmaException e) {
            opened.forEach(RoceDevice::close);
            throw e;
        }
        return new Service(List.copyOf(opened));
    }

    private record Service(List<RoceDevice> opened) implements RdmaService {
        @Override
        public List<RdmaDevice> devices() {
            return List.copyOf(opened);
        }

        @Override
        public void close() {
            opened.forEach(RoceDevice::close);
        }
    }
}
