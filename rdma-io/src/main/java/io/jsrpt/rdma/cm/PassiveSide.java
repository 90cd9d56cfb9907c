package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.cm.CmConnection.State;
import io.jsrpt.rdma.cm.CmMessage.Mra;
import io.jsrpt.rdma.cm.CmMessage.Rej;
import io.jsrpt.rdma.cm.CmMessage.Rep;
import io.jsrpt.rdma.cm.CmMessage.Req;
import io.jsrpt.rdma.cm.CmMessage.Rtu;
import java.util.Optional;

/** From the REQ to the RTU on the side that listens (IBTA volume 1, 12.9.6; {@code cm_req_handler}). */
final class PassiveSide {
    /** What an MRA asks for: 8.6 s. */
    private static final int SERVICE_TIMEOUT = 21;

    private final CmCore core;
    private final Teardown teardown;

    PassiveSide(CmCore core, Teardown teardown) {
        this.core = core;
        this.teardown = teardown;
    }

    void onReq(Gid peer, Req req) {
        CmRequest r = req.request();
        Optional<CmConnection> known = core.byRemoteCommId(peer, r.localCommId());
        if (known.filter(c -> c.beganWith(req.transactionId(), r)).isPresent()) {
            onDuplicateReq(known.get());
            return;
        }
        Optional<CmId> listener = Optional.ofNullable(core.listeners().get(new ServiceId(r.serviceId())));
        int refusal = check(peer, r, listener);
        if (refusal != 0) {
            refuse(peer, req, refusal);
            return;
        }
        displaceOlder(peer, r);
        if (core.halfOpenIsFull()) {
            refuse(peer, req, RejectReason.NO_RESOURCES);
        } else {
            begin(peer, req, listener.orElseThrow());
        }
    }

    /**
     * A queue pair has one connection, so a peer that asks for another one has forgotten the older: it was restarted.
     * The standard (12.9.8.3.1) and Linux end the older connection and refuse the request as stale; but a restarted
     * initiator, whose queue pairs are numbered as before, would then be refused once for each of its old channels,
     * and ib_srp gives up at the first. No packet of the older connection can be mistaken for one of the new, since
     * this side's queue pair is another. So the older one ends, and the request is taken.
     */
    private void displaceOlder(Gid peer, CmRequest r) {
        core.byRemoteCommId(peer, r.localCommId()).ifPresent(teardown::displace);
        core.byRemoteQpn(peer, r.localQpn()).ifPresent(teardown::displace);
    }

    /** The reason to refuse a request that needs no look at other connections; 0 if there is none. */
    private int check(Gid peer, CmRequest r, Optional<CmId> listener) {
        if (listener.isEmpty()) {
            return RejectReason.INVALID_SERVICE_ID;
        }
        if (r.transportServiceType() != CmRequest.RELIABLE_CONNECTED || r.extendedTransport() != 0) {
            return RejectReason.INVALID_TRANSPORT_TYPE;
        }
        if (!r.primary().localGid().equals(peer) || !r.primary().remoteGid().equals(core.settings.local())) {
            return RejectReason.INVALID_GID;
        }
        // Both queue pairs run at the proposed MTU: this side cannot lower it, it can only refuse.
        if (r.pathMtu() < PathMtu.MTU_256.code() || r.pathMtu() > core.settings.maxPathMtu().code()) {
            return RejectReason.INVALID_PATH_MTU;
        }
        if (isRdmaCm(r) && CmaHeader.decode(r.privateData())
                .filter(h -> h.destination().equals(core.settings.local()))
                .isEmpty()) {
            return RejectReason.CONSUMER_DEFINED;
        }
        return 0;
    }

    private void refuse(Gid peer, Req req, int reason) {
        byte[] info = reason == RejectReason.INVALID_PATH_MTU
                ? new byte[] {(byte) core.settings.maxPathMtu().code()}
                : CmCore.NO_DATA;
        Rej rej = new Rej(
                req.transactionId(), 0, req.request().localCommId(), Rej.OF_REQ, reason, info, CmCore.NO_DATA);
        core.sink.send(peer, rej.encode());
    }

    private void begin(Gid peer, Req req, CmId listener) {
        CmRequest r = req.request();
        CmConnection c = core.create(peer, new ServiceId(r.serviceId()));
        c.transactionId = req.transactionId();
        c.request = Optional.of(r);
        c.pathMtu = PathMtu.ofCode(r.pathMtu());
        c.ackTimeout = r.primary().localAckTimeout();
        core.setRemote(c, r.localCommId(), r.localQpn());
        core.move(c, State.REQ_RECEIVED);
        core.arm(c, CmCore.nanos(r.remoteResponseTimeout()) / 2);
        c.setId(core.sink.newId(c, listener));
        ConnectionParameters offered = new ConnectionParameters(
                r.responderResources(),
                r.initiatorDepth(),
                r.retryCount(),
                r.rnrRetryCount(),
                r.flowControl(),
                r.sharedReceiveQueue());
        byte[] privateData = isRdmaCm(r) ? CmaHeader.strip(r.privateData()) : r.privateData();
        core.emit(
                c,
                new CmEvent.ConnectRequest(c.id(), listener, offered, privateData, c.pathMtu, r.partitionKey()));
    }

    private static boolean isRdmaCm(CmRequest r) {
        return new ServiceId(r.serviceId()).rdmaTcpPort().isPresent();
    }

    private void onDuplicateReq(CmConnection c) {
        switch (c.state) {
            case REQ_RECEIVED -> sendMra(c);
            case REP_SENT -> core.send(c, c.outstanding);
            case DREQ_SENT, TIMEWAIT -> core.send(c, c.hasLastReply() ? c.lastReply : stale(c));
            case IDLE, REQ_SENT, ESTABLISHED, CLOSED -> { }
        }
    }

    private static byte[] stale(CmConnection c) {
        return new Rej(
                        c.transactionId,
                        c.localCommId(),
                        c.remoteCommId,
                        Rej.OF_REQ,
                        RejectReason.STALE_CONNECTION,
                        CmCore.NO_DATA,
                        CmCore.NO_DATA)
                .encode();
    }

    /** The owner takes its time: asks the peer for more. */
    void onOwnerIsSlow(CmConnection c) {
        sendMra(c);
        if (--c.extensionsLeft > 0) {
            core.arm(c, CmCore.nanos(SERVICE_TIMEOUT) / 2);
        }
    }

    private void sendMra(CmConnection c) {
        core.send(
                c,
                new Mra(c.transactionId, c.localCommId(), c.remoteCommId, Mra.OF_REQ, SERVICE_TIMEOUT).encode());
    }

    void accept(CmConnection c, int localQpn, ConnectionParameters wanted, byte[] privateData) {
        if (c.state != State.REQ_RECEIVED) {
            return;
        }
        CmRequest r = c.request.orElseThrow();
        ConnectionParameters agreed = new ConnectionParameters(
                Math.min(wanted.responderResources(), r.initiatorDepth()),
                Math.min(wanted.initiatorDepth(), r.responderResources()),
                wanted.retryCount(),
                wanted.rnrRetryCount(),
                wanted.flowControl(),
                wanted.sharedReceiveQueue());
        c.setLocalQpn(localQpn);
        c.parameters = Optional.of(agreed);
        c.startingPsn = core.randomPsn();
        if (!core.sink.readyToReceive(c, rtr(c, r, agreed))) {
            core.emit(c, new CmEvent.ConnectError(c.id(), "the queue pair cannot become ready to receive"));
            reject(c, RejectReason.NO_RESOURCES, CmCore.NO_DATA);
            return;
        }
        CmReply reply = new CmReply(
                c.localCommId(),
                c.remoteCommId,
                0,
                localQpn,
                0,
                c.startingPsn,
                agreed.responderResources(),
                agreed.initiatorDepth(),
                core.settings.targetAckDelay(),
                0,
                agreed.flowControl(),
                agreed.rnrRetryCount(),
                agreed.sharedReceiveQueue(),
                core.settings.caGuid(),
                privateData);
        core.move(c, State.REP_SENT);
        core.sendReliably(
                c,
                new Rep(c.transactionId, reply).encode(),
                r.maxCmRetries(),
                CmCore.nanos(r.localResponseTimeout()));
    }

    private ReadyToReceive rtr(CmConnection c, CmRequest r, ConnectionParameters agreed) {
        return new ReadyToReceive(
                c.localQueuePair().orElseThrow(),
                r.localQpn(),
                c.startingPsn,
                c.pathMtu,
                agreed.responderResources(),
                c.remote(),
                core.settings.minRnrTimer(),
                r.primary().trafficClass(),
                r.primary().hopLimit(),
                r.partitionKey());
    }

    void reject(CmConnection c, int reason, byte[] privateData) {
        if (c.state != State.REQ_RECEIVED) {
            return;
        }
        teardown.refuse(c, reason, privateData);
    }

    void onRtu(Gid peer, Rtu rtu) {
        Optional<CmConnection> known = core.find(peer, rtu.remoteCommId(), rtu.localCommId());
        if (known.filter(c -> c.state != State.TIMEWAIT).isPresent()) {
            establish(known.get(), rtu.privateData());
        } else {
            // the peer holds itself connected to what has ended here
            Rej rej = new Rej(
                    rtu.transactionId(),
                    rtu.remoteCommId(),
                    rtu.localCommId(),
                    Rej.OTHER,
                    RejectReason.INVALID_COMM_ID,
                    CmCore.NO_DATA,
                    CmCore.NO_DATA);
            core.sink.send(peer, rej.encode());
        }
    }

    void establish(CmConnection c, byte[] privateData) {
        if (c.state != State.REP_SENT) {
            return;
        }
        CmRequest r = c.request.orElseThrow();
        ConnectionParameters agreed = c.parameters.orElseThrow();
        core.disarm(c);
        core.move(c, State.ESTABLISHED);
        if (core.sink.readyToSend(
                c,
                new ReadyToSend(
                        r.startingPsn(),
                        c.ackTimeout,
                        r.retryCount(),
                        r.rnrRetryCount(),
                        agreed.initiatorDepth()))) {
            core.emit(c, new CmEvent.Established(c.id(), agreed, privateData));
        } else {
            core.emit(c, new CmEvent.ConnectError(c.id(), "the queue pair cannot become ready to send"));
            core.silence(c);
            teardown.disconnect(c);
        }
    }
}
