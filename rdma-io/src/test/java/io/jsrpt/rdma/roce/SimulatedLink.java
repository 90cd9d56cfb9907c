package io.jsrpt.rdma.roce;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/** Carries packets between two sides with a clock of its own; loses, repeats and reorders them by a seeded chance. */
final class SimulatedLink {
    private static final long LATENCY_NANOS = 50_000;

    private final long latency;
    private final Random random;
    private final Side a;
    private final Side b;
    private final Faults faults;
    private final PriorityQueue<Delivery> flying =
        new PriorityQueue<>(Comparator.comparingLong(Delivery::time).thenComparingLong(Delivery::order));
    private long now;
    private long order;
    private int longestPacket;

    /** Chances, each from 0 to 1, of one packet. */
    record Faults(double loss, double duplication, double reordering) {
        static final Faults NONE = new Faults(0, 0, 0);
    }

    private record Delivery(long time, long order, Side to, byte[] packet) {}

    SimulatedLink(Side a, Side b, Faults faults, long seed) {
        this(a, b, faults, seed, LATENCY_NANOS);
    }

    /** With a latency in nanoseconds of each direction. */
    SimulatedLink(Side a, Side b, Faults faults, long seed, long latency) {
        this.latency = latency;
        this.a = a;
        this.b = b;
        this.faults = faults;
        random = new Random(seed);
    }

    long now() {
        return now;
    }

    /** Lets both sides send what they can. */
    void pump() {
        pump(a, b);
        pump(b, a);
    }

    private void pump(Side from, Side to) {
        boolean more = from.engine.pump(now);
        for (int i = 0; more; i++) {
            if (i == 10_000) {
                throw new AssertionError("a side never has enough");
            }
            more = from.engine.pump(now);
        }
        for (byte[] packet : from.take()) {
            launch(to, packet);
        }
    }

    /** The longest packet so far, without the invariant CRC. */
    int longestPacket() {
        return longestPacket;
    }

    private void launch(Side to, byte[] packet) {
        longestPacket = Math.max(longestPacket, packet.length);
        int copies = random.nextDouble() < faults.duplication() ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            if (random.nextDouble() >= faults.loss()) {
                long late = random.nextDouble() < faults.reordering() ? random.nextLong(10 * latency) : 0;
                flying.add(new Delivery(now + latency + late, order++, to, packet));
            }
        }
    }

    /** Goes on to the next packet or timer; false when there is none. */
    boolean step() {
        pump();
        long packet = flying.isEmpty() ? Long.MAX_VALUE : flying.peek().time();
        long timer = Math.min(a.engine.deadline(), b.engine.deadline());
        if (packet == Long.MAX_VALUE && timer == Long.MAX_VALUE) {
            return false;
        }
        now = Math.max(now, Math.min(packet, timer));
        if (packet <= timer) {
            // a batch, as a socket gives them
            while (!flying.isEmpty() && flying.peek().time() <= now) {
                Delivery d = flying.poll();
                d.to().deliver(d.packet(), now);
            }
        } else {
            a.engine.onTimer(now);
            b.engine.onTimer(now);
        }
        pump();
        return true;
    }

    /** Goes on until nothing is left to happen. */
    void settle() {
        for (int i = 0; step(); i++) {
            if (i == 200_000) {
                throw new AssertionError("the link does not come to rest");
            }
        }
    }
}
