package io.jsrpt.rdma.roce;

/**
 * The READ requests that a responder has still to answer, oldest first, and the sending of their responses. A bounded
 * ring, as long as the peer may have requests outstanding.
 */
final class ReadResponses {
    private final Connection connection;
    private final int[] psns;
    private final long[] addresses;
    private final int[] keys;
    private final int[] left;
    private final boolean[] begun;
    private int head;
    private int count;

    ReadResponses(int capacity, Connection connection) {
        this.connection = connection;
        psns = new int[capacity];
        addresses = new long[capacity];
        keys = new int[capacity];
        left = new int[capacity];
        begun = new boolean[capacity];
    }

    boolean full() {
        return count == psns.length;
    }

    boolean empty() {
        return count == 0;
    }

    /** The number of the packet that is sent next; there must be one. */
    int psn() {
        return psns[head];
    }

    /** Adds a request; there must be room. */
    void add(int psn, long address, int key, int length) {
        set((head + count) % psns.length, psn, address, key, length);
        count++;
    }

    private void set(int slot, int psn, long address, int key, int length) {
        psns[slot] = psn;
        addresses[slot] = address;
        keys[slot] = key;
        left[slot] = length;
        begun[slot] = false;
    }

    /**
     * Answers a request again. If it is being answered just now, the answer starts anew where the repeated request
     * starts. Without room it is dropped: the peer repeats it.
     */
    void repeat(int psn, long address, int key, int length) {
        int end = Psn.plus(psn, connection.packets(length));
        for (int i = 0; i < count; i++) {
            int slot = (head + i) % psns.length;
            if (Psn.plus(psns[slot], connection.packets(left[slot])) == end) {
                set(slot, psn, address, key, length);
                return;
            }
        }
        if (!full()) {
            add(psn, address, key, length);
        }
    }

    /**
     * Sends the next response packet; there must be one.
     *
     * @return false when the memory is not there any more
     */
    boolean send(int syndrome, int msn) {
        int length = Math.min(connection.mtu(), left[head]);
        if (length > 0
            && !connection.memory().allows(
                connection.domain(), keys[head], addresses[head], length, MemoryTable.REMOTE_READ)) {
            return false;
        }
        boolean last = length == left[head];
        int opcode = opcode(!begun[head], last);
        int pad = Bth.padFor(length);
        int header = Bth.headerBytes(opcode);
        long at = connection.output().reserve();
        Bth.write(at, opcode, 0, pad, connection.remote(), false, psns[head]);
        if (opcode != Bth.READ_RESPONSE_MIDDLE) {
            Bth.writeAeth(at + Bth.BYTES, syndrome, msn);
        }
        if (length > 0) {
            Native.copy(addresses[head], at + header, length);
            Native.zero(at + header + length, pad);
        }
        connection.output().commit(header + length + pad);
        psns[head] = Psn.plus(psns[head], 1);
        addresses[head] += length;
        left[head] -= length;
        begun[head] = true;
        if (last) {
            head = (head + 1) % psns.length;
            count--;
        }
        return true;
    }

    private static int opcode(boolean isFirst, boolean isLast) {
        if (isFirst) {
            return isLast ? Bth.READ_RESPONSE_ONLY : Bth.READ_RESPONSE_FIRST;
        }
        return isLast ? Bth.READ_RESPONSE_LAST : Bth.READ_RESPONSE_MIDDLE;
    }
}
