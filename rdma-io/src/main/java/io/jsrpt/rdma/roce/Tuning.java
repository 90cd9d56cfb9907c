package io.jsrpt.rdma.roce;

/**
 * Limits of a requester that no one negotiates.
 *
 * @param window the most packets in flight for one queue pair, asked-for READ responses included; a peer that receives
 *     into a small ring (a virtual machine's network card has 256 entries) must hold this times the connections
 * @param ackEvery an acknowledgement is asked for at least every so many packets
 * @param readSegment a READ is asked for in pieces of at most so many packets
 * @param burst the most packets that a queue pair sends before the others have their turn
 * @param minTimeoutNanos the shortest wait for an acknowledgement before packets are repeated, however short the round
 *     trips are and whatever a peer negotiates
 */
record Tuning(int window, int ackEvery, int readSegment, int burst, long minTimeoutNanos) {
    Tuning {
        if (window < 2 || ackEvery < 1 || readSegment < 1 || ackEvery + readSegment > window || burst < 1) {
            throw new IllegalArgumentException("window " + window + ", ack every " + ackEvery + ", READ segment "
                + readSegment + ", burst " + burst + " do not fit together");
        }
    }

    /** The values in use, which system properties {@code jsrpt.roce.*} can change. */
    static Tuning fromProperties() {
        int window = Integer.getInteger("jsrpt.roce.window", 64);
        return new Tuning(
            window,
            Integer.getInteger("jsrpt.roce.ack-every", Math.max(1, window / 4)),
            Integer.getInteger("jsrpt.roce.read-segment", Math.max(1, window / 2)),
            Integer.getInteger("jsrpt.roce.burst", 64),
            Integer.getInteger("jsrpt.roce.min-timeout-millis", 20) * 1_000_000L);
    }
}
