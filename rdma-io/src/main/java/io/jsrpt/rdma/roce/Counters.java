package io.jsrpt.rdma.roce;

import java.util.concurrent.atomic.AtomicLongArray;

/** A port's counts. The network thread alone changes them, any thread reads them; so a change costs a plain store. */
final class Counters {
    private final AtomicLongArray counts = new AtomicLongArray(Count.values().length);

    /** Called by the network thread. */
    void add(Count count, long n) {
        int i = count.ordinal();
        counts.setRelease(i, counts.getPlain(i) + n);
    }

    /** Called by the network thread. */
    void increment(Count count) {
        add(count, 1);
    }

    long get(Count count) {
        return counts.getAcquire(count.ordinal());
    }
}
