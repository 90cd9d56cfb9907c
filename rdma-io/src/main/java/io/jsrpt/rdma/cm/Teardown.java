package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.cm.CmConnection.State;
import io.jsrpt.rdma.cm.CmMessage.Drep;
import io.jsrpt.rdma.cm.CmMessage.Dreq;
import io.jsrpt.rdma.cm.CmMessage.Rej;
import java.nio.ByteBuffer;
import java.util.Optional;

/** How connections end: DREQ and DREP, rejects, retries that are used up, destruction (IBTA volume 1, 12.9.7). */
final class Teardown {
    /**
     * Caps of a DREQ's repetition: 1.07 s (18), 7 times. By then nothing depends on the peer's answer any more, and the
     * minute that a REQ's timeouts allow would hold the connection's resources.
     */
    private static final int DREQ_TIMEOUT = 18;

    private static final int DREQ_RETRIES = 7;

    private final CmCore core;

    Teardown(CmCore core) {
        this.core = core;
    }

    /** The owner ends the connection. */
    void disconnect(CmConnection c) {
        if (c.state != State.ESTABLISHED && c.state != State.REP_SENT) {
            return;
        }
        core.sink.error(c);
        core.move(c, State.DREQ_SENT);
        core.sendReliably(c, dreq(c), dreqRetries(), dreqInterval());
    }

    /** The owner lets go of the connection, in whatever state it is. */
    void destroy(CmConnection c) {
        core.silence(c);
        switch (c.state) {
            case IDLE -> core.move(c, State.CLOSED);
            case REQ_SENT -> {
                core.send(c, timeoutReject(c, 0));
                core.move(c, State.CLOSED);
            }
            case REQ_RECEIVED -> refuse(c, RejectReason.CONSUMER_DEFINED, CmCore.NO_DATA);
            case REP_SENT -> {
                core.sink.error(c);
                c.lastReply = new Rej(
                                c.transactionId,
                                c.localCommId(),
                                c.remoteCommId,
                                Rej.OTHER,
                                RejectReason.CONSUMER_DEFINED,
                                CmCore.NO_DATA,
                                CmCore.NO_DATA)
                        .encode();
                core.send(c, c.lastReply);
                // The peer may hold itself connected already, and the REJ may be lost: a DREQ follows.
                core.move(c, State.DREQ_SENT);
                core.expectAnswer(c, dreq(c), dreqRetries(), dreqInterval());
            }
            case ESTABLISHED -> disconnect(c);
            case DREQ_SENT, TIMEWAIT, CLOSED -> { }
        }
    }

    private int dreqRetries() {
        return Math.min(core.settings.maxRetries(), DREQ_RETRIES);
    }

    private long dreqInterval() {
        return CmCore.nanos(Math.min(core.settings.responseTimeout(), DREQ_TIMEOUT));
    }

    private byte[] dreq(CmConnection c) {
        return new Dreq(
                        core.newTransactionId(c),
                        c.localCommId(),
                        c.remoteCommId,
                        c.remoteQueuePair().orElseThrow())
                .encode();
    }

    /**
     * Rejects a request, and remembers the REJ while the peer may repeat the REQ. A connection that never stood has no
     * further event, nor a time-wait that its owner would hear of.
     */
    void refuse(CmConnection c, int reason, byte[] privateData) {
        Rej rej = new Rej(c.transactionId, 0, c.remoteCommId, Rej.OF_REQ, reason, CmCore.NO_DATA, privateData);
        c.lastReply = rej.encode();
        core.send(c, c.lastReply);
        core.silence(c);
        core.move(c, State.TIMEWAIT);
        core.arm(c, 2 * CmCore.nanos(c.request.orElseThrow().remoteResponseTimeout()));
    }

    /** "This side gave up waiting": the peer finds its connection by our GUID and our id. */
    private byte[] timeoutReject(CmConnection c, int remoteCommId) {
        byte[] guid = ByteBuffer.allocate(8).putLong(core.settings.caGuid()).array();
        return new Rej(
                        c.transactionId,
                        c.localCommId(),
                        remoteCommId,
                        Rej.OTHER,
                        RejectReason.TIMEOUT,
                        guid,
                        CmCore.NO_DATA)
                .encode();
    }

    /** Every DREQ is answered, in every state and for unknown ids too, else the peer waits for its retries. */
    void onDreq(Gid peer, Dreq dreq) {
        Optional<CmConnection> known = core.find(peer, dreq.remoteCommId(), dreq.localCommId());
        core.sink.send(
                peer, new Drep(dreq.transactionId(), dreq.remoteCommId(), dreq.localCommId()).encode());
        known.or(() -> core.byLocalCommId(dreq.remoteCommId())
                        .filter(c -> c.state == State.REQ_SENT && c.remote().equals(peer)))
                .filter(c -> c.localQueuePair().orElse(-1) == dreq.remoteQpn())
                .ifPresent(this::onDreq);
    }

    private void onDreq(CmConnection c) {
        switch (c.state) {
            case REQ_SENT -> {
                // accepted and ended again, and the REP is late: it must not establish what the peer has left
                core.move(c, State.CLOSED);
                core.emit(c, new CmEvent.Rejected(c.id(), RejectReason.CONSUMER_DEFINED, CmCore.NO_DATA));
            }
            case REP_SENT, ESTABLISHED -> {
                core.sink.error(c);
                enterTimewait(c);
            }
            case DREQ_SENT -> enterTimewait(c);
            case IDLE, REQ_RECEIVED, TIMEWAIT, CLOSED -> { }
        }
    }

    void onDrep(Gid peer, Drep drep) {
        core.find(peer, drep.remoteCommId(), drep.localCommId())
                .filter(c -> c.state == State.DREQ_SENT)
                .ifPresent(this::enterTimewait);
    }

    void onRej(Gid peer, Rej rej) {
        Optional<CmConnection> known = core.byLocalCommId(rej.remoteCommId())
                .filter(c -> c.remote().equals(peer))
                .filter(c -> c.state == State.REQ_SENT || c.remoteCommId == rej.localCommId())
                .or(() -> core.byRemoteCommId(peer, rej.localCommId())
                        .filter(c -> rej.reason() == RejectReason.TIMEOUT));
        if (known.isEmpty()) {
            return;
        }
        CmConnection c = known.get();
        switch (c.state) {
            case REQ_SENT, REQ_RECEIVED -> {
                core.move(c, State.CLOSED);
                core.emit(c, new CmEvent.Rejected(c.id(), rej.reason(), rej.privateData()));
            }
            case REP_SENT -> {
                core.sink.error(c);
                core.move(c, State.CLOSED);
                core.emit(c, new CmEvent.Rejected(c.id(), rej.reason(), rej.privateData()));
            }
            case ESTABLISHED -> {
                core.sink.error(c);
                enterTimewait(c);
            }
            case DREQ_SENT -> enterTimewait(c);
            case IDLE, TIMEWAIT, CLOSED -> { }
        }
    }

    /** The datagram that waits for an answer was repeated often enough. */
    void onRetriesExhausted(CmConnection c) {
        switch (c.state) {
            case REQ_SENT -> {
                core.send(c, timeoutReject(c, 0));
                core.move(c, State.CLOSED);
                core.emit(c, new CmEvent.Unreachable(c.id()));
            }
            case REP_SENT -> {
                core.sink.error(c);
                core.send(c, timeoutReject(c, c.remoteCommId));
                core.move(c, State.CLOSED);
                core.emit(c, new CmEvent.Unreachable(c.id()));
            }
            case DREQ_SENT -> enterTimewait(c);
            case IDLE, REQ_RECEIVED, ESTABLISHED, TIMEWAIT, CLOSED -> { }
        }
    }

    /**
     * A peer uses the numbers of this connection for another one, so it has forgotten this one (12.9.8.3.1).
     *
     * @return whether the connection stood, so that the peer's new message is to be refused as stale
     */
    boolean displace(CmConnection c) {
        switch (c.state) {
            case REQ_RECEIVED -> {
                core.move(c, State.CLOSED);
                core.emit(c, new CmEvent.Rejected(c.id(), RejectReason.STALE_CONNECTION, CmCore.NO_DATA));
                return false;
            }
            case REP_SENT -> {
                core.sink.error(c);
                core.move(c, State.CLOSED);
                core.emit(c, new CmEvent.Rejected(c.id(), RejectReason.STALE_CONNECTION, CmCore.NO_DATA));
                return false;
            }
            case ESTABLISHED -> {
                core.sink.error(c);
                core.send(c, dreq(c));
                enterTimewait(c);
                return true;
            }
            case DREQ_SENT -> {
                enterTimewait(c);
                core.exitTimewait(c);
                return false;
            }
            case TIMEWAIT -> {
                core.exitTimewait(c);
                return false;
            }
            case IDLE, REQ_SENT, CLOSED -> {
                return false;
            }
        }
        return false;
    }

    private void enterTimewait(CmConnection c) {
        core.move(c, State.TIMEWAIT);
        core.emit(c, new CmEvent.Disconnected(c.id()));
    }
}
