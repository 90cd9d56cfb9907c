package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A queue pair's transport: its state, its two halves, its queues. Pure as {@link Requester} and {@link Responder} are;
 * all methods are called by the network thread unless they say otherwise.
 */
final class QpEngine {
    private static final long NEVER = Long.MAX_VALUE;

    /** On the network thread's to-do list; set by whoever puts it there. */
    final AtomicBoolean listed = new AtomicBoolean();

    /** The next on that list. */
    QpEngine nextListed;

    /** Where its packets come from; none before RTR. */
    Optional<Peer> peer = Optional.empty();

    /** Whether the network thread has it among those that this turn concerns. */
    boolean touched;

    private final int number;
    private final int domain;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final boolean shared;
    private final Completions sendCompletions;
    private final Completions receiveCompletions;
    private final Counters counters;

    private volatile QpState state = QpState.INIT;
    private volatile boolean errorRequested;
    private volatile boolean starved;

    private Connection connection;
    private Requester requester;
    private Responder responder;
    private Runnable onFirstRequest = () -> { };
    private long flushed;

    /**
     * Makes a queue pair in the state INIT.
     *
     * @param shared whether the receives are those of a shared receive queue
     */
    QpEngine(
            int number,
            int domain,
            SendRing sends,
            ReceiveRing receives,
            boolean shared,
            Completions sendCompletions,
            Completions receiveCompletions,
            Counters counters) {
        this.number = number;
        this.domain = domain;
        this.sends = sends;
        this.receives = receives;
        this.shared = shared;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        this.counters = counters;
    }

    int number() {
        return number;
    }

    int domain() {
        return domain;
    }

    /** Whether its receives are those of a shared receive queue. */
    boolean shared() {
        return shared;
    }

    /** From any thread. */
    QpState state() {
        return errorRequested ? QpState.ERROR : state;
    }

    /** From any thread: the next look at this queue pair moves it to error. */
    void requestError() {
        errorRequested = true;
    }

    /** From any thread: whether the peer was told that there is no receive. */
    boolean starved() {
        return starved;
    }

    Completions sendCompletions() {
        return sendCompletions;
    }

    Completions receiveCompletions() {
        return receiveCompletions;
    }

    /**
     * From INIT to RTR.
     *
     * @param firstRequest called when the first request comes before {@link #readyToSend}
     * @return false in another state
     */
    boolean readyToReceive(
            Connection toPeer, Responder.Attributes attributes, Tuning tuning, Runnable firstRequest) {
        if (state() != QpState.INIT) {
            return false;
        }
        connection = toPeer;
        onFirstRequest = firstRequest;
        responder = new Responder(receives, receiveCompletions, toPeer, attributes, tuning.burst());
        state = QpState.RTR;
        return true;
    }

    /** From RTR to RTS; false in another state. */
    boolean readyToSend(Requester.Attributes attributes, Tuning tuning) {
        if (state() != QpState.RTR) {
            return false;
        }
        requester = new Requester(sends, sendCompletions, connection, attributes, tuning);
        state = QpState.RTS;
        return true;
    }

    /**
     * Takes a packet that is for this queue pair and from its peer; {@link #pump} follows.
     *
     * @param at native address of the BTH
     * @param length up to the pad, without the invariant CRC; at least a BTH
     */
    void onPacket(long at, int length, long now) {
        int opcode = Bth.opcode(at);
        int header = Bth.headerBytes(opcode);
        int payload = length - header - Bth.pad(at);
        if (opcode > Bth.LAST_RELIABLE || payload < 0 || Bth.version(at) != 0) {
            counters.increment(Count.DROPPED_MALFORMED);
        } else if (state != QpState.RTS && (state != QpState.RTR || Bth.isResponse(opcode))) {
            counters.increment(Count.DROPPED_STATE);
        } else if (!Bth.isResponse(opcode)) {
            responder.onRequest(opcode, at, at + header, payload);
            if (state == QpState.RTR) {
                onFirstRequest.run();
            }
        } else if (opcode == Bth.ACKNOWLEDGE && payload == 0) {
            requester.onAcknowledge(Bth.psn(at), Native.getByte(at + Bth.BYTES), now);
        } else if (opcode < Bth.ACKNOWLEDGE) {
            int syndrome = opcode == Bth.READ_RESPONSE_MIDDLE ? 0 : Native.getByte(at + Bth.BYTES);
            requester.onReadResponse(opcode, Bth.psn(at), syndrome, at + header, payload, now);
        } else {
            counters.increment(Count.DROPPED_MALFORMED);
        }
    }

    /**
     * Sends what may be sent, or flushes.
     *
     * @return whether there is more to do at once
     */
    boolean pump(long now) {
        boolean sending = requester != null && state == QpState.RTS;
        if (sending) {
            // First the queue's end, then the request for error: work posted after that request is never sent.
            requester.snapshot();
        }
        if (errorRequested || state == QpState.ERROR) {
            toError();
            return false;
        }
        boolean more = false;
        if (responder != null) {
            more = responder.pump();
            starved = responder.starved();
            // One that was posted before its poster could see that is found here.
            more |= starved && receives.available() > 0;
            if (responder.failed()) {
                toError();
                return false;
            }
        }
        if (sending) {
            more |= requester.pump(now);
            if (requester.failed()) {
                toError();
                return false;
            }
        }
        return more;
    }

    /** When {@link #onTimer} is due; {@link Long#MAX_VALUE} for never. */
    long deadline() {
        return requester == null || state != QpState.RTS ? NEVER : requester.deadline();
    }

    /** The time of {@link #deadline} may have come; {@link #pump} follows. */
    void onTimer(long now) {
        if (requester != null && state == QpState.RTS) {
            requester.onTimer(now);
        }
    }

    /** To ERROR, from any state: flushes what is outstanding, and on later calls what was posted since. */
    void toError() {
        state = QpState.ERROR;
        if (requester != null) {
            requester.flush();
        } else {
            flushed = Requester.flush(sends, flushed, sendCompletions, number);
        }
        if (responder != null) {
            responder.flush();
        }
        if (!shared) {
            while (receives.available() > 0) {
                long id = receives.id();
                receives.take();
                receiveCompletions.add(id, Status.WORK_REQUEST_FLUSHED, Opcode.RECEIVE, 0, number);
            }
        }
    }

    /** To RESET: nothing of this queue pair is touched any more, and nothing completes. */
    void reset() {
        state = QpState.RESET;
        requester = null;
        responder = null;
    }
}
