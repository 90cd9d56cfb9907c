package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A packet socket that does not show all that has arrived. */
final class LossyPacketSocket implements PacketSocket {
    private final PacketSocket inner;
    private final LossyRoce network;
    private final Random random;
    private int[] kept = new int[64];

    LossyPacketSocket(PacketSocket inner, LossyRoce network, Random random) {
        this.inner = inner;
        this.network = network;
        this.random = random;
    }

    @Override
    public int receive(long timeoutNanos) throws IOException {
        int arrived = inner.receive(timeoutNanos);
        if (arrived > kept.length) {
            kept = Arrays.copyOf(kept, arrived);
        }
        int count = 0;
        for (int i = 0; i < arrived; i++) {
            if (!network.loses(random)) {
                kept[count++] = i;
            }
        }
        return count;
    }

    @Override
    public MemorySegment receiveMemory() {
        return inner.receiveMemory();
    }

    @Override
    public long packetOffset(int i) {
        return inner.packetOffset(kept[i]);
    }

    @Override
    public int packetLength(int i) {
        return inner.packetLength(kept[i]);
    }

    @Override
    public Peer packetSource(int i) {
        return inner.packetSource(kept[i]);
    }

    @Override
    public Peer peer(Gid gid) throws RdmaException {
        return inner.peer(gid);
    }

    @Override
    public MemorySegment sendMemory() {
        return inner.sendMemory();
    }

    @Override
    public long reserve() throws IOException {
        return inner.reserve();
    }

    @Override
    public void commit(Peer to, int length) {
        inner.commit(to, length);
    }

    @Override
    public void commit(Peer to, int headerLength, long payloadAddress, int payloadLength) {
        inner.commit(to, headerLength, payloadAddress, payloadLength);
    }

    @Override
    public void flush() throws IOException {
        inner.flush();
    }

    @Override
    public void wakeup() {
        inner.wakeup();
    }

    @Override
    public Gid local() {
        return inner.local();
    }

    @Override
    public PathMtu maxPathMtu() {
        return inner.maxPathMtu();
    }

    @Override
    public List<Counter> counters() {
        return inner.counters();
    }

    @Override
    public void close() {
        inner.close();
    }
}
