package io.jsrpt.rdma.roce;

/**
 * When a requester repeats what is not acknowledged, and when it gives up; times in nanoseconds of one clock.
 *
 * <p>The two are apart. A peer is given up when it has acknowledged nothing for the negotiated timeout times one more
 * than the retry count, as if each timeout had cost a retry (IBTA volume 1, 9.7.6.1.3). But a lost last packet need not
 * wait for that timeout, which Linux negotiates as 2 seconds: packets are repeated once the acknowledgement is later
 * than the round trips measured so far explain (RFC 6298), and then at doubling intervals up to the negotiated timeout.
 */
final class AckTimer {
    private static final long NEVER = Long.MAX_VALUE;
    /** Far enough, and nothing overflows. */
    private static final long FOR_EVER = 1L << 61;
    /** How often the shortest interval the first one is, before a round trip was measured. */
    private static final int UNMEASURED = 10;

    private static final long LONGEST_INTERVAL = 2_000_000_000;

    private final long patience;
    private final long shortest;
    private final long longest;

    private long repeatAt = NEVER;
    private long giveUpAt = NEVER;
    private long interval;

    private boolean measured;
    private long roundTrip;
    private long variation;
    /** The packet whose acknowledgement ends the measurement that is going on, and when that began. */
    private long timed = -1;

    private long timedSince;

    /** What the passing of time asks for. */
    enum Due {
        NOTHING,
        REPEAT,
        GIVE_UP
    }

    /**
     * A timer that does not run.
     *
     * @param timeout as negotiated
     * @param retries as negotiated, 0 to 7
     * @param shortest the shortest interval at which to repeat; a shorter negotiated timeout counts as this
     */
    AckTimer(long timeout, int retries, long shortest) {
        long each = Math.min(Math.max(timeout, shortest), FOR_EVER / (retries + 1));
        this.patience = each * (retries + 1);
        this.shortest = shortest;
        longest = Math.max(shortest, Math.min(each, LONGEST_INTERVAL));
        interval = Math.min(shortest * UNMEASURED, longest);
    }

    /** When {@link #due} has something to say; {@link Long#MAX_VALUE} when it does not run. */
    long deadline() {
        return Math.min(repeatAt, giveUpAt);
    }

    /** Something awaits an acknowledgement: the timer runs from now on, if it does not run already. */
    void start(long now) {
        if (repeatAt == NEVER) {
            repeatAt = now + interval;
            giveUpAt = now + patience;
        }
    }

    /** Nothing awaits an acknowledgement, or it is another timer's turn. */
    void stop() {
        repeatAt = NEVER;
        giveUpAt = NEVER;
    }

    /**
     * The peer acknowledged packets.
     *
     * @param acked the oldest packet that it did not acknowledge
     * @param outstanding whether that one was sent
     */
    void progress(long acked, boolean outstanding, long now) {
        if (timed >= 0 && acked > timed) {
            measure(now - timedSince);
            timed = -1;
        }
        stop();
        if (outstanding) {
            start(now);
        }
    }

    /** This packet was sent first and asks for an acknowledgement: one such packet at a time is measured. */
    void sent(long packet, long now) {
        if (timed < 0) {
            timed = packet;
            timedSince = now;
        }
    }

    /** Packets are repeated: it would not be clear which of them an acknowledgement is for (Karn's algorithm). */
    void forget() {
        timed = -1;
    }

    /** Packets are repeated because the peer asked for it: their acknowledgement has the whole interval again. */
    void repeated(long now) {
        forget();
        if (repeatAt != NEVER) {
            repeatAt = now + interval;
        }
    }

    /** What is to be done at this time; a repetition is then under way, and the next one due after twice the time. */
    Due due(long now) {
        if (now >= giveUpAt) {
            stop();
            return Due.GIVE_UP;
        }
        if (now < repeatAt) {
            return Due.NOTHING;
        }
        forget();
        interval = Math.min(2 * interval, longest);
        repeatAt = now + interval;
        return Due.REPEAT;
    }

    private void measure(long sample) {
        if (measured) {
            variation += (Math.abs(sample - roundTrip) - variation) / 4;
            roundTrip += (sample - roundTrip) / 8;
        } else {
            measured = true;
            roundTrip = sample;
            variation = sample / 2;
        }
        interval = Math.max(shortest, Math.min(roundTrip + 4 * variation, longest));
    }
}
