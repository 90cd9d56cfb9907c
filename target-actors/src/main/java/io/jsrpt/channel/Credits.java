package io.jsrpt.channel;

/**
 * The request limit of a channel, counted from this side: each credit is held by the initiator, or by a request that is
 * under way, or by no one, until the next response gives it back. So the three always add up to the limit, what an
 * aborted command leaves behind is given back by itself (report 4), and no more is ever handed out than receives are
 * posted for (report 5).
 */
final class Credits {
    private final int limit;
    private int held;
    private int underWay;
    private long overruns;

    /** All credits go to the initiator, with the login response. */
    Credits(int limit) {
        this.limit = limit;
        held = limit;
    }

    /** A request came. One without a credit is served all the same: that it is too many costs the initiator only. */
    void received() {
        underWay++;
        if (held == 0) {
            overruns++;
        } else {
            held--;
        }
    }

    /** A request ended without a response. */
    void unanswered() {
        underWay--;
    }

    /** A request ends with a response: takes the credits that go with it, its own and those of no one. */
    int takeForResponse() {
        underWay--;
        return takeUnheld();
    }

    /** The response could not be posted after all: the request is under way again, and its credits are not given. */
    void undoResponse(int delta) {
        held -= delta;
        underWay++;
    }

    /** The credits of no one. */
    int unheld() {
        return Math.max(0, limit - held - underWay);
    }

    /** Takes the credits of no one, to be given outside of a response. */
    int takeUnheld() {
        int delta = unheld();
        held += delta;
        return delta;
    }

    /** Credits outside of a response could not be posted. */
    void undo(int delta) {
        held -= delta;
    }

    int limit() {
        return limit;
    }

    int held() {
        return held;
    }

    int underWay() {
        return underWay;
    }

    /** Requests that came without a credit. */
    long overruns() {
        return overruns;
    }
}
