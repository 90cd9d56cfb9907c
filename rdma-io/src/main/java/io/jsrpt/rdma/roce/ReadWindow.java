package io.jsrpt.rdma.roce;

/** The READ requests that a requester has outstanding: where each one's response ends. */
final class ReadWindow {
    private final long[] ends;
    private int head;
    private int count;

    /** For at most this many outstanding. */
    ReadWindow(int depth) {
        ends = new long[depth];
    }

    boolean full() {
        return count == ends.length;
    }

    /** Adds a request whose response ends before packet {@code end}; there must be room. */
    void add(long end) {
        ends[(head + count) % ends.length] = end;
        count++;
    }

    /** Forgets those whose response has come. */
    void retire(long acked) {
        while (count > 0 && ends[head] <= acked) {
            head = (head + 1) % ends.length;
            count--;
        }
    }

    void clear() {
        count = 0;
    }
}
