package io.jsrpt.channel;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.srp.CreditRequest;
import io.jsrpt.srp.TargetLogout;

/**
 * What the target sends of its own accord, each with its own send-queue slot: SRP_CRED_REQ when credits would not get
 * back to the initiator otherwise, SRP_T_LOGOUT, and probes of a connection that is silent. Owner only.
 */
final class ControlUnits {
    private static final int CREDIT = 0;
    private static final int LOGOUT = 1;

    private final ChannelParts parts;
    /** The SEND of SRP_CRED_REQ has not ended; its SRP_CRED_RSP has not come. */
    private boolean creditSending;
    private boolean creditUnanswered;
    private boolean loggedOut;
    /** Since the last call of {@link #probe} something has shown that the initiator is there. */
    private boolean heard;
    private boolean probing;
    private long tag;

    ControlUnits(ChannelParts parts) {
        this.parts = parts;
    }

    /**
     * Sends SRP_CRED_REQ when credits lie with no one and no response is to be expected that could take them, or when
     * they are half of all: commands that another channel's function aborted leave that behind.
     */
    void offerCredits() {
        Credits credits = parts.credits();
        int unheld = credits.unheld();
        if (unheld == 0 || creditSending || creditUnanswered || !parts.condition().isServing()
                || (credits.underWay() > 0 && unheld < Math.max(1, credits.limit() / 2))) {
            return;
        }
        int delta = credits.takeUnheld();
        long offset = parts.memory().controlOffset(CREDIT);
        boolean solicited = parts.agreed().solicitCredit();
        CreditRequest.encode(parts.memory().memory(), offset, solicited, delta, ++tag);
        try {
            send(CREDIT, CreditRequest.BYTES, solicited);
            creditSending = true;
            creditUnanswered = true;
        } catch (RdmaException e) {
            credits.undo(delta);
            parts.condition().fail("cannot post SRP_CRED_REQ: " + e.getMessage());
        }
    }

    /** SRP_CRED_RSP came; false when none was due. */
    boolean creditsTaken() {
        boolean due = creditUnanswered;
        creditUnanswered = false;
        return due;
    }

    /** Sends SRP_T_LOGOUT, once. */
    void logout(int reason) throws RdmaException {
        if (loggedOut || parts.condition().isDraining()) {
            return;
        }
        loggedOut = true;
        boolean solicited = parts.agreed().solicitLogout();
        TargetLogout.encode(
                parts.memory().memory(), parts.memory().controlOffset(LOGOUT), solicited, reason, ++tag);
        send(LOGOUT, TargetLogout.BYTES, solicited);
    }

    /** Something that needs the initiator's doing has completed. */
    void heard() {
        heard = true;
    }

    /**
     * Sends a probe if nothing was heard since the last call. A connection on which nothing is under way would not
     * notice otherwise that its initiator is gone: there is nothing that could run out of retries.
     */
    void probe() {
        boolean silent = !heard && !probing;
        heard = false;
        if (!silent || !parts.condition().isServing()) {
            return;
        }
        try {
            parts.sendQueue().postProbe();
            probing = true;
        } catch (RdmaException e) {
            parts.condition().fail("cannot post a probe: " + e.getMessage());
        }
    }

    /** A probe has ended. */
    void probed() {
        probing = false;
    }

    /** A SEND has ended. */
    void sent(int index) {
        if (index == CREDIT) {
            creditSending = false;
        }
    }

    private void send(int index, int bytes, boolean solicited) throws RdmaException {
        parts.sendQueue().send(SendQueue.CONTROL, index, parts.memory().address(parts.memory().controlOffset(index)),
                bytes, solicited);
    }
}
