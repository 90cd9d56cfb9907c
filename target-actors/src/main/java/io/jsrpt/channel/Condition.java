package io.jsrpt.channel;

/** How far a channel's life has come, as far as its data path cares, and what its owner is yet to be told. */
final class Condition {
    private boolean live;
    private boolean ended;
    private boolean draining;
    private PollOutcome outcome = PollOutcome.CONTINUE;

    boolean isLive() {
        return live;
    }

    void live() {
        live = true;
    }

    /** The connection is of no more use; the first reason is the one that is told. */
    void end(PollOutcome why) {
        if (!ended && !draining) {
            ended = true;
            outcome = why;
        }
    }

    /** The initiator broke the protocol. */
    void protocolError(String reason, int logoutReason) {
        end(new PollOutcome.ProtocolError(reason, logoutReason));
    }

    /** Work of this side failed. */
    void fail(String reason) {
        end(new PollOutcome.Failed(reason));
    }

    /** The owner wants no more to be done; there is nothing to tell. */
    void quit() {
        ended = true;
    }

    void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    /** Whether requests are served and answered; else what is under way only comes to its end. */
    boolean isServing() {
        return !ended && !draining;
    }

    /** What to tell the owner; each thing is told once. */
    PollOutcome takeOutcome() {
        PollOutcome taken = outcome;
        outcome = PollOutcome.CONTINUE;
        return taken;
    }
}
