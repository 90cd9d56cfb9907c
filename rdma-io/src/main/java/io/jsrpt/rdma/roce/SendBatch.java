package io.jsrpt.rdma.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Slots that packets to send are built in, and what was committed of them. Owner only. */
final class SendBatch {
    /** A multiple of the cache line. */
    private static final int STRIDE = (InvariantCrc.HEADROOM + PacketSocket.MAX_PACKET_BYTES + 63) & -64;

    // SAFETY: never dereferenced beyond a payload that the caller of commit vouches for, and that he keeps alive
    private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final MemorySegment memory;
    private final InvariantCrc crc;
    private final int port;
    private final int[] lengths;
    private final Peer[] destinations;
    private int count;

    /** For packets that are sent from this UDP port. */
    SendBatch(int slots, int port) {
        this.port = port;
        memory = Arena.ofAuto().allocate((long) slots * STRIDE, 64);
        crc = new InvariantCrc(memory);
        lengths = new int[slots];
        destinations = new Peer[slots];
    }

    MemorySegment memory() {
        return memory;
    }

    boolean full() {
        return count == lengths.length;
    }

    /** Where slot {@code i} begins. */
    static long slotOffset(int i) {
        return (long) i * STRIDE + InvariantCrc.HEADROOM;
    }

    /** Where the next packet is built; the batch must not be full. */
    long next() {
        if (full()) {
            throw new IllegalStateException("the batch is full");
        }
        return slotOffset(count);
    }

    void commit(Peer to, int length) {
        long offset = next();
        if (length < PacketSocket.MIN_PACKET_BYTES || length > PacketSocket.MAX_PACKET_BYTES || (length & 3) != 0) {
            throw new IllegalArgumentException("a packet cannot have " + length + " bytes");
        }
        crc.seal(to.outgoing(), port, offset, length);
        lengths[count] = length;
        destinations[count] = to;
        count++;
    }

    void commit(Peer to, int headerLength, long payloadAddress, int payloadLength) {
        long padded = (payloadLength + 3L) & -4;
        long length = headerLength + padded + Integer.BYTES;
        if (headerLength < 0 || payloadLength < 0 || length > PacketSocket.MAX_PACKET_BYTES) {
            throw new IllegalArgumentException("no packet: header " + headerLength + ", payload " + payloadLength);
        }
        long payload = next() + headerLength;
        MemorySegment.copy(EVERYTHING, payloadAddress, memory, payload, payloadLength);
        for (long pad = payload + payloadLength; pad < payload + padded; pad++) {
            memory.set(ValueLayout.JAVA_BYTE, pad, (byte) 0);
        }
        commit(to, (int) length);
    }

    int count() {
        return count;
    }

    int length(int i) {
        return lengths[i];
    }

    Peer destination(int i) {
        return destinations[i];
    }

    /** Forgets what was committed. */
    void clear() {
        count = 0;
    }
}
