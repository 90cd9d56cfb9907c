package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.roce.PacketCounters.Name;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Slots that packets are received into, and which of them hold the good packets of the current batch. Owner only. */
final class ReceiveBatch {
    /** One byte longer than the longest packet, so that a longer one shows. */
    static final int ROOM = PacketSocket.MAX_PACKET_BYTES + 1;

    /** A multiple of the cache line. */
    private static final int STRIDE = (InvariantCrc.HEADROOM + ROOM + 63) & -64;

    private final MemorySegment memory;
    private final InvariantCrc crc;
    private final PacketCounters counters;
    private final int slots;
    private final int[] good;
    private final int[] lengths;
    private final Peer[] sources;
    private int count;

    ReceiveBatch(int slots, PacketCounters counters) {
        this.slots = slots;
        this.counters = counters;
        memory = Arena.ofAuto().allocate((long) slots * STRIDE, 64);
        crc = new InvariantCrc(memory);
        good = new int[slots];
        lengths = new int[slots];
        sources = new Peer[slots];
    }

    MemorySegment memory() {
        return memory;
    }

    int slots() {
        return slots;
    }

    /** Where slot {@code i} begins; {@link #ROOM} bytes may be written there. */
    static long slotOffset(int i) {
        return (long) i * STRIDE + InvariantCrc.HEADROOM;
    }

    /** Begins a new batch. */
    void clear() {
        count = 0;
    }

    /** Takes the packet in slot {@code slot} into the batch if it is good. */
    void add(int slot, int length, Peer source, int sourcePort) {
        if (length > PacketSocket.MAX_PACKET_BYTES) {
            counters.add(Name.RX_TOO_LONG, 1);
        } else if (length < PacketSocket.MIN_PACKET_BYTES || (length & 3) != 0) {
            counters.add(Name.RX_MALFORMED, 1);
        } else if (!crc.verify(source.incoming(), sourcePort, slotOffset(slot), length)) {
            counters.add(Name.RX_BAD_ICRC, 1);
        } else {
            counters.add(Name.RX_PACKETS, 1);
            counters.add(Name.RX_BYTES, length);
            good[count] = slot;
            lengths[count] = length;
            sources[count] = source;
            count++;
        }
    }

    int count() {
        return count;
    }

    long offset(int i) {
        return slotOffset(good[check(i)]);
    }

    int length(int i) {
        return lengths[check(i)];
    }

    Peer source(int i) {
        return sources[check(i)];
    }

    private int check(int i) {
        if (i < 0 || i >= count) {
            throw new IndexOutOfBoundsException(i);
        }
        return i;
    }
}
