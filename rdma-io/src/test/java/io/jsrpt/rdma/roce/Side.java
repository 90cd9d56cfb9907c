package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One end of a connection without a socket: a queue pair's engine, its queues, its memory and what completed. */
final class Side implements Completions {
    static final int DOMAIN = 1;
    static final int DEPTH = 256;

    final int number;
    final SendRing sends = new SendRing(DEPTH);
    final ReceiveRing receives = new ReceiveRing(DEPTH);
    final MemoryTable table = new MemoryTable();
    final Counters counters = new Counters();
    final List<Completed> completions = new ArrayList<>();
    final MemorySegment memory;
    final int key;
    final QpEngine engine;
    private final SlotOutput output = new SlotOutput();
    private final MemorySegment incoming = Arena.ofAuto().allocate(8192, 8);
    int firstRequests;

    /** What a completion said. */
    record Completed(long id, Status status, Opcode opcode, int bytes) {
        @Override
        public String toString() {
            return id + " " + opcode + " " + status;
        }
    }

    /** Packets that were sent and not taken yet. */
    final List<byte[]> sent = new ArrayList<>();

    private final class SlotOutput implements PacketOutput {
        private final MemorySegment slot = Arena.ofAuto().allocate(8192, 8);

        @Override
        public long reserve() {
            slot.fill((byte) 0xcc);
            return slot.address();
        }

        @Override
        public void commit(int bytes) {
            sent.add(slot.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** A side in INIT with this much memory, all of it registered for everything. */
    Side(int number, int memoryBytes) {
        this(number, memoryBytes, false);
    }

    Side(int number, int memoryBytes, boolean shared) {
        this.number = number;
        memory = Arena.ofAuto().allocate(memoryBytes, 8);
        key = table.add(
            DOMAIN, memory.address(), memoryBytes, MemoryTable.REMOTE_READ + MemoryTable.REMOTE_WRITE);
        engine = new QpEngine(number, DOMAIN, sends, receives, shared, this, this, counters);
    }

    @Override
    public void add(long id, Status status, Opcode opcode, int byteLength, int queuePairNumber) {
        if (queuePairNumber != number) {
            throw new AssertionError("completion of queue pair " + queuePairNumber + " at " + number);
        }
        completions.add(new Completed(id, status, opcode, byteLength));
    }

    Connection connection(int remote, int mtu) {
        return new Connection(number, DOMAIN, remote, mtu, output, table, counters);
    }

    long at(long offset) {
        return memory.address() + offset;
    }

    void send(long id, long offset, int length, int flags) {
        post(SendRing.SEND, id, offset, length, 0, 0, flags);
    }

    void post(int operation, long id, long offset, int length, long remote, int rkey, int flags) {
        if (!sends.post(operation, id, at(offset), length, key, remote, rkey, flags)) {
            throw new AssertionError("the send queue is full");
        }
        sends.publish();
    }

    void receive(long id, long offset, int length) {
        if (!receives.post(id, at(offset), length, key)) {
            throw new AssertionError("the receive queue is full");
        }
        receives.publish();
    }

    void fill(long offset, int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, length);
    }

    /** Takes the packets that were sent. */
    List<byte[]> take() {
        List<byte[]> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    /** Gives a packet to the engine. */
    void deliver(byte[] packet, long now) {
        MemorySegment.copy(packet, 0, incoming, ValueLayout.JAVA_BYTE, 0, packet.length);
        engine.onPacket(incoming.address(), packet.length, now);
    }

    List<String> completed() {
        List<String> all = completions.stream().map(Completed::toString).toList();
        completions.clear();
        return all;
    }

    long count(Count count) {
        return counters.get(count);
    }
}
