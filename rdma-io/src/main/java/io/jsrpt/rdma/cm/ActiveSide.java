package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.cm.CmConnection.State;
import io.jsrpt.rdma.cm.CmMessage.Mra;
import io.jsrpt.rdma.cm.CmMessage.Rej;
import io.jsrpt.rdma.cm.CmMessage.Rep;
import io.jsrpt.rdma.cm.CmMessage.Req;
import io.jsrpt.rdma.cm.CmMessage.Rtu;
import java.util.Optional;

/** From the REQ to the RTU on the side that asks (IBTA volume 1, 12.9.5; {@code ib_send_cm_req}). */
final class ActiveSide {
    /** The LID that RoCE, which has none, writes, as Linux does. */
    private static final int PERMISSIVE_LID = 0xffff;

    private static final int DEFAULT_PARTITION = 0xffff;
    private static final int HOP_LIMIT = 64;
    private static final int FIRST_EPHEMERAL_PORT = 32_768;
    private static final int EPHEMERAL_PORTS = 28_232;

    private final CmCore core;
    private final Teardown teardown;

    ActiveSide(CmCore core, Teardown teardown) {
        this.core = core;
        this.teardown = teardown;
    }

    void connect(CmConnection c, int localQpn, ConnectionParameters wanted, byte[] privateData) {
        if (c.state != State.IDLE) {
            return;
        }
        c.setLocalQpn(localQpn);
        c.parameters = Optional.of(wanted);
        c.startingPsn = core.randomPsn();
        c.transactionId = core.newTransactionId(c);
        c.ackTimeout = core.settings.localAckTimeout();
        c.pathMtu = core.settings.maxPathMtu();
        byte[] data = privateData;
        if (c.service().rdmaTcpPort().isPresent()) {
            int port = FIRST_EPHEMERAL_PORT + core.random.nextInt(EPHEMERAL_PORTS);
            data = CmaHeader.between(core.settings.local(), port, c.remote()).prepend(privateData);
        }
        byte[] req = new Req(c.transactionId, request(c, localQpn, wanted, data)).encode();
        core.move(c, State.REQ_SENT);
        core.sendReliably(c, req, core.settings.maxRetries(), CmCore.nanos(core.settings.responseTimeout()));
    }

    private CmRequest request(CmConnection c, int localQpn, ConnectionParameters wanted, byte[] data) {
        CmSettings s = core.settings;
        CmRequest.Path path = new CmRequest.Path(
                PERMISSIVE_LID,
                PERMISSIVE_LID,
                s.local(),
                c.remote(),
                0,
                0,
                0,
                HOP_LIMIT,
                0,
                false,
                s.localAckTimeout());
        return new CmRequest(
                c.localCommId(),
                c.service().value(),
                s.caGuid(),
                0,
                localQpn,
                wanted.responderResources(),
                0,
                wanted.initiatorDepth(),
                0,
                s.responseTimeout(),
                CmRequest.RELIABLE_CONNECTED,
                wanted.flowControl(),
                c.startingPsn,
                s.responseTimeout(),
                wanted.retryCount(),
                DEFAULT_PARTITION,
                c.pathMtu.code(),
                false,
                wanted.rnrRetryCount(),
                s.maxRetries(),
                wanted.sharedReceiveQueue(),
                0,
                path,
                CmRequest.Path.NONE,
                data);
    }

    void onRep(Gid peer, Rep rep) {
        CmReply r = rep.reply();
        Optional<CmConnection> known =
                core.byLocalCommId(r.remoteCommId()).filter(c -> c.remote().equals(peer));
        if (known.isEmpty()) {
            // tells a peer whose REP comes too late, instead of letting it run out of retries
            refuse(peer, rep, RejectReason.INVALID_COMM_ID);
            return;
        }
        CmConnection c = known.get();
        if (c.state == State.REQ_SENT) {
            onFirstRep(c, rep);
        } else if (c.state == State.ESTABLISHED && c.hasLastReply() && c.remoteCommId == r.localCommId()) {
            core.send(c, c.lastReply);
        }
    }

    private void onFirstRep(CmConnection c, Rep rep) {
        CmReply r = rep.reply();
        Optional<CmConnection> holder = core.byRemoteQpn(c.remote(), r.localQpn())
                .or(() -> core.byRemoteCommId(c.remote(), r.localCommId()));
        if (holder.isPresent() && teardown.displace(holder.get())) {
            fail(c, rep, RejectReason.STALE_CONNECTION, "the peer's queue pair belongs to another connection");
            return;
        }
        ConnectionParameters wanted = c.parameters.orElseThrow();
        ConnectionParameters agreed = new ConnectionParameters(
                Math.min(wanted.responderResources(), r.initiatorDepth()),
                Math.min(wanted.initiatorDepth(), r.responderResources()),
                wanted.retryCount(),
                wanted.rnrRetryCount(),
                wanted.flowControl(),
                wanted.sharedReceiveQueue());
        c.parameters = Optional.of(agreed);
        c.ackTimeout = Math.min(31, Math.max(c.ackTimeout, r.targetAckDelay() + 1));
        if (!core.sink.readyToReceive(c, rtr(c, r, agreed)) || !core.sink.readyToSend(c, rts(c, r, agreed))) {
            fail(c, rep, RejectReason.NO_RESOURCES, "the queue pair cannot become ready");
            return;
        }
        core.setRemote(c, r.localCommId(), r.localQpn());
        core.disarm(c);
        core.move(c, State.ESTABLISHED);
        c.lastReply = new Rtu(c.transactionId, c.localCommId(), c.remoteCommId, CmCore.NO_DATA).encode();
        core.send(c, c.lastReply);
        ConnectionParameters accepted = new ConnectionParameters(
                r.responderResources(),
                r.initiatorDepth(),
                wanted.retryCount(),
                r.rnrRetryCount(),
                r.flowControl(),
                r.sharedReceiveQueue());
        core.emit(c, new CmEvent.Established(c.id(), accepted, r.privateData()));
    }

    private ReadyToReceive rtr(CmConnection c, CmReply r, ConnectionParameters agreed) {
        return new ReadyToReceive(
                c.localQueuePair().orElseThrow(),
                r.localQpn(),
                c.startingPsn,
                c.pathMtu,
                agreed.responderResources(),
                c.remote(),
                core.settings.minRnrTimer(),
                0,
                HOP_LIMIT,
                DEFAULT_PARTITION);
    }

    private static ReadyToSend rts(CmConnection c, CmReply r, ConnectionParameters agreed) {
        return new ReadyToSend(
                r.startingPsn(), c.ackTimeout, agreed.retryCount(), r.rnrRetryCount(), agreed.initiatorDepth());
    }

    private void fail(CmConnection c, Rep rep, int reason, String why) {
        refuse(c.remote(), rep, reason);
        core.sink.error(c);
        core.move(c, State.CLOSED);
        core.emit(c, new CmEvent.ConnectError(c.id(), why));
    }

    private void refuse(Gid peer, Rep rep, int reason) {
        Rej rej = new Rej(
                rep.transactionId(),
                rep.reply().remoteCommId(),
                rep.reply().localCommId(),
                Rej.OF_REP,
                reason,
                CmCore.NO_DATA,
                CmCore.NO_DATA);
        core.sink.send(peer, rej.encode());
    }

    /** The peer needs more time, for our REQ (active side) or our REP (passive side). */
    void onMra(Gid peer, Mra mra) {
        Optional<CmConnection> known =
                core.byLocalCommId(mra.remoteCommId()).filter(c -> c.remote().equals(peer));
        if (known.isEmpty()) {
            return;
        }
        CmConnection c = known.get();
        boolean expected = mra.messageMraed() == Mra.OF_REQ
                ? c.state == State.REQ_SENT
                : mra.messageMraed() == Mra.OF_REP
                        && c.state == State.REP_SENT
                        && c.remoteCommId == mra.localCommId();
        if (expected && c.extensionsLeft > 0) {
            c.extensionsLeft--;
            core.arm(c, c.retryIntervalNanos + CmCore.nanos(mra.serviceTimeout()));
        }
    }
}
