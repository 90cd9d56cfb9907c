package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;

/**
 * A packet socket that, on demand, changes what it received after the invariant CRC was checked: a peer, or someone who
 * can forge its packets, that sends whatever it likes with a good CRC. Only packets to one queue pair are touched, and
 * some of those become noise to QP1.
 */
final class HostileSocket implements PacketSocket {
    private static final int FIRST_HEADERS = Bth.BYTES + Bth.RETH_BYTES;

    private final PacketSocket socket;
    private final Random random;
    private final int[] lengths = new int[64];
    /** The queue pair whose packets are changed; 0 for none. */
    private volatile int victim;

    private volatile long changed;

    HostileSocket(PacketSocket socket, long seed) {
        this.socket = socket;
        random = new Random(seed);
    }

    void attack(int queuePair) {
        victim = queuePair;
    }

    long changed() {
        return changed;
    }

    @Override
    public int receive(long timeoutNanos) throws IOException {
        int count = socket.receive(timeoutNanos);
        int target = victim;
        long touched = changed;
        for (int i = 0; i < count; i++) {
            lengths[i] = socket.packetLength(i);
            long at = receiveMemory().address() + socket.packetOffset(i);
            if (target != 0 && Bth.destination(at) == target && random.nextInt(4) == 0) {
                lengths[i] = random.nextInt(8) == 0 ? managementNoise(at) : change(at, lengths[i]);
                touched++;
            }
        }
        changed = touched;
        return count;
    }

    /** Changes one thing, and returns the length. */
    private int change(long at, int length) {
        boolean hasTarget = Bth.headerBytes(Bth.opcode(at)) >= FIRST_HEADERS && length > FIRST_HEADERS;
        switch (random.nextInt(hasTarget ? 8 : 4)) {
            case 0 -> changeBytes(at, length);
            case 1 -> Native.putByte(at, random.nextInt(26));
            case 2 -> {
                int psn = Psn.plus(Native.getInt(at + 8), random.nextInt(9) - 4);
                Native.putInt(at + 8, (Native.getInt(at + 8) & ~Psn.MASK) | psn);
            }
            case 3 -> {
                int words = random.nextInt((random.nextBoolean() ? length : MAX_PACKET_BYTES) / 4);
                return Math.max(MIN_PACKET_BYTES, words * 4);
            }
            default -> moveTarget(at + Bth.BYTES);
        }
        return length;
    }

    /** Other bytes, mostly of the headers; the destination stays, so that no other queue pair is meant. */
    private void changeBytes(long at, int length) {
        for (int i = random.nextInt(4); i >= 0; i--) {
            int place = random.nextInt(random.nextInt(3) == 0 ? length : Math.min(length, FIRST_HEADERS));
            if (place < 4 || place > 7) {
                int flipped = Native.getByte(at + place) ^ (1 << random.nextInt(8));
                Native.putByte(at + place, random.nextBoolean() ? random.nextInt() : flipped);
            }
        }
    }

    /** To somewhere near what it was, so that some of it is the peer's to reach, or to another length. */
    private void moveTarget(long reth) {
        if (random.nextInt(4) > 0) {
            Native.putLong(reth, Native.getLong(reth) + random.nextInt(1 << 14) - (1 << 13));
        } else {
            Native.putInt(reth + 12, Native.getInt(reth + 12) + random.nextInt(1 << 12) - (1 << 11));
        }
    }

    /** Random bytes that are a datagram of the connection manager as far as its header goes. */
    private int managementNoise(long at) {
        byte[] mad = new byte[Gsi.MAD_BYTES];
        random.nextBytes(mad);
        byte[] header = {1, 7, 2, 3};
        System.arraycopy(header, 0, mad, 0, header.length);
        mad[16] = 0;
        mad[17] = (byte) (0x10 + random.nextInt(11));
        Bth.write(at, Bth.UD_SEND_ONLY, 0, 0, Gsi.QP1, false, random.nextInt());
        Native.putInt(at + Bth.BYTES, random.nextInt(8) == 0 ? random.nextInt() : 0x8001_0000);
        Native.putInt(at + Bth.BYTES + 4, Gsi.QP1);
        Native.copy(mad, at + Bth.BYTES + Bth.DETH_BYTES);
        return Bth.BYTES + Bth.DETH_BYTES + mad.length + Bth.ICRC_BYTES - (random.nextInt(16) == 0 ? 4 : 0);
    }

    @Override
    public int packetLength(int i) {
        return lengths[i];
    }

    @Override
    public MemorySegment receiveMemory() {
        return socket.receiveMemory();
    }

    @Override
    public long packetOffset(int i) {
        return socket.packetOffset(i);
    }

    @Override
    public Peer packetSource(int i) {
        return socket.packetSource(i);
    }

    @Override
    public Peer peer(Gid gid) throws RdmaException {
        return socket.peer(gid);
    }

    @Override
    public MemorySegment sendMemory() {
        return socket.sendMemory();
    }

    @Override
    public long reserve() throws IOException {
        return socket.reserve();
    }

    @Override
    public void commit(Peer to, int length) {
        socket.commit(to, length);
    }

    @Override
    public void commit(Peer to, int headerLength, long payloadAddress, int payloadLength) {
        socket.commit(to, headerLength, payloadAddress, payloadLength);
    }

    @Override
    public void flush() throws IOException {
        socket.flush();
    }

    @Override
    public void wakeup() {
        socket.wakeup();
    }

    @Override
    public Gid local() {
        return socket.local();
    }

    @Override
    public PathMtu maxPathMtu() {
        return socket.maxPathMtu();
    }

    @Override
    public List<Counter> counters() {
        return socket.counters();
    }

    @Override
    public void close() {
        socket.close();
    }
}
