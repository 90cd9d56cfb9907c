package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaDevice.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;

/** What a socket counts. Written by its owner only, read by any thread. */
final class PacketCounters {
    private final AtomicLongArray counts = new AtomicLongArray(Name.values().length);

    private volatile Set<Name> leftOut = Set.of();

    /** Owner only, before anyone reads: this cannot be counted here, so that it is not told. */
    void leaveOut(Name name) {
        leftOut = Set.of(name);
    }

    /** Owner only. */
    void add(Name name, long n) {
        int i = name.ordinal();
        counts.setRelease(i, counts.getPlain(i) + n);
    }

    long get(Name name) {
        return counts.getAcquire(name.ordinal());
    }

    List<Counter> snapshot() {
        List<Counter> all = new ArrayList<>();
        for (Name name : Name.values()) {
            if (!leftOut.contains(name)) {
                all.add(new Counter(name.counter, get(name)));
            }
        }
        return List.copyOf(all);
    }

    /** What there is to count. */
    enum Name {
        RX_PACKETS("rx.packets"),
        RX_BYTES("rx.bytes"),
        /** The invariant CRC did not fit. */
        RX_BAD_ICRC("rx.bad-icrc"),
        /** Shorter than a BTH and an ICRC, or not a multiple of four bytes. */
        RX_MALFORMED("rx.malformed"),
        /** Longer than the longest packet that a path MTU of 4096 allows. */
        RX_TOO_LONG("rx.too-long"),
        /** The kernel had no room; counted by Linux only, through the native socket, and up to 100 ms late. */
        RX_NO_ROOM("rx.dropped.no-room"),
        /** The kernel reported an error instead of packets. */
        RX_FAILURES("rx.failures"),
        TX_PACKETS("tx.packets"),
        TX_BYTES("tx.bytes"),
        /** The kernel had no room within the time. */
        TX_NO_ROOM("tx.dropped.no-room"),
        /** Longer than the network on the way carries. */
        TX_TOO_LONG("tx.dropped.too-long"),
        /** No route, a firewall's refusal, and the like. */
        TX_UNREACHABLE("tx.dropped.unreachable"),
        /** Bytes that the kernel granted for what has arrived and was not taken yet; a level, not a count. */
        RX_BUFFER("socket.receive-buffer"),
        /** The same for what is to be sent. */
        TX_BUFFER("socket.send-buffer");

        private final String counter;

        Name(String counter) {
            this.counter = counter;
        }
    }
}
