package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.cm.CmMessage.Drep;
import io.jsrpt.rdma.cm.CmMessage.Dreq;
import io.jsrpt.rdma.cm.CmMessage.Mra;
import io.jsrpt.rdma.cm.CmMessage.Rej;
import io.jsrpt.rdma.cm.CmMessage.Rep;
import io.jsrpt.rdma.cm.CmMessage.Req;
import io.jsrpt.rdma.cm.CmMessage.Rtu;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two engines, and a test that carries the datagrams between them by hand. */
class CmEngineTest {
    private static final long RESPONSE_TIMEOUT = 4_096L << 20;
    private static final ServiceId PLAIN = new ServiceId(0x0002_c903_00e5_5f20L);

    private final Node active = new Node("10.0.0.1", 1, s -> s);
    private final Node passive = new Node("10.0.0.2", 2, s -> s);

    private static byte[] filled(int length) {
        byte[] data = new byte[length];
        Arrays.fill(data, (byte) 0x5a);
        return data;
    }

    private CmConnection request() {
        passive.listen();
        active.connect(passive);
        active.flushTo(passive);
        return passive.requested();
    }

    /** Leaves both sides established and their events taken. */
    private CmConnection establish() {
        CmConnection c = request();
        passive.accept(c);
        passive.flushTo(active);
        active.flushTo(passive);
        active.eventOne(CmEvent.Established.class);
        passive.eventOne(CmEvent.Established.class);
        return c;
    }

    private CmConnection activeSide() {
        return active.connections.values().iterator().next();
    }

    @Test
    void bothSidesAreEstablishedWithTheParametersOfTheOther() {
        passive.listen();
        CmConnection a = active.connect(passive);
        active.flushTo(passive);
        CmConnection p = passive.requested();
        passive.engine.accept(p, 0x31, new ConnectionParameters(2, 9, 7, 5, true, true), filled(196));
        assertEquals(Node.Qp.RTR, passive.queuePairs.get(p), "ready to receive before the peer hears of it");
        passive.flushTo(active);
        CmEvent.Established up = active.eventOne(CmEvent.Established.class);
        assertEquals(new ConnectionParameters(2, 4, 7, 5, true, true), up.parameters());
        assertArrayEquals(filled(196), up.privateData());
        active.flushTo(passive);
        assertEquals(
                new ConnectionParameters(2, 4, 7, 5, true, true),
                passive.eventOne(CmEvent.Established.class).parameters());
        ReadyToReceive activeRtr = active.rtr.getFirst();
        ReadyToReceive passiveRtr = passive.rtr.getFirst();
        assertEquals(0x31, activeRtr.remoteQueuePair());
        assertEquals(0x21, passiveRtr.remoteQueuePair());
        assertEquals(activeRtr.remoteStartingPsn(), passive.rts.getFirst().startingPsn());
        assertEquals(passiveRtr.remoteStartingPsn(), active.rts.getFirst().startingPsn());
        assertEquals(4, activeRtr.responderResources());
        assertEquals(2, active.rts.getFirst().initiatorDepth());
        assertEquals(5, active.rts.getFirst().rnrRetryCount());
        assertEquals(17, passive.rts.getFirst().ackTimeout());
        assertEquals(0x31, a.remoteQueuePair().orElseThrow());
        assertEquals(0x21, p.remoteQueuePair().orElseThrow());
        assertEquals(Node.Qp.RTS, active.queuePairs.get(a));
        assertEquals(Node.Qp.RTS, passive.queuePairs.get(p));
        assertEquals(Long.MAX_VALUE, passive.engine.nanosToNextDeadline());
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.", "fd00::", "::ffff:10.0.0."})
    void addressesOfBothFamiliesConnect(String prefix) {
        Node a = new Node(prefix + 1, 1, s -> s);
        Node p = new Node(prefix + 2, 2, s -> s);
        p.listen();
        a.connect(p, Node.SERVICE, 0x21, filled(56));
        a.flushTo(p);
        CmEvent.ConnectRequest request = p.eventOne(CmEvent.ConnectRequest.class);
        assertArrayEquals(filled(56), request.privateData());
        p.accept(p.connections.get(request.id()));
        p.flushTo(a);
        a.flushTo(p);
        a.eventOne(CmEvent.Established.class);
        p.eventOne(CmEvent.Established.class);
    }

    @Test
    void plainServiceIdKeepsAllPrivateDataAndItsUpperByte() {
        assertTrue(passive.engine.listen(PLAIN, Node.LISTENER));
        active.connect(passive, PLAIN, 0x21, filled(92));
        active.flushTo(passive);
        assertArrayEquals(filled(92), passive.eventOne(CmEvent.ConnectRequest.class).privateData());
        active.connect(passive, new ServiceId(0x0200_0000_0000_0000L | PLAIN.value()), 0x22, filled(92));
        active.flushTo(passive);
        assertEquals(8, passive.sentOne(Rej.class).reason());
    }

    @Test
    void tooMuchPrivateDataIsRefusedBeforeAnythingIsSent() {
        CmConnection c = request();
        assertEquals(56, CmEngine.maxConnectPrivateData(Node.SERVICE));
        assertEquals(92, CmEngine.maxConnectPrivateData(PLAIN));
        CmConnection a = active.engine.create(new TestId(99), passive.gid, Node.SERVICE);
        assertThrows(
                IllegalArgumentException.class,
                () -> active.engine.connect(a, 1, Node.PARAMETERS, new byte[57]));
        assertThrows(
                IllegalArgumentException.class,
                () -> passive.engine.accept(c, 1, Node.PARAMETERS, new byte[197]));
        assertThrows(IllegalArgumentException.class, () -> passive.engine.reject(c, 28, new byte[149]));
        active.sentNothing();
        passive.sentNothing();
    }

    @Test
    void aServiceIsListenedToOnce() {
        passive.listen();
        assertFalse(passive.engine.listen(Node.SERVICE, new TestId(5)));
        passive.engine.endListen(Node.SERVICE);
        passive.listen();
    }

    @Test
    void requestWithoutListenerIsRefusedAsInvalidServiceId() {
        active.connect(passive);
        active.flushTo(passive);
        passive.noEvent();
        passive.flushTo(active);
        assertEquals(
                CmEvent.Rejected.INVALID_SERVICE_ID,
                active.eventOne(CmEvent.Rejected.class).reason());
        assertEquals(0, active.engine.connections());
        assertEquals(0, passive.engine.connections());
    }

    @Test
    void rejectionReachesTheActiveSideWithItsPrivateData() {
        CmConnection c = request();
        passive.engine.reject(c, 28, filled(148));
        passive.flushTo(active);
        CmEvent.Rejected rejected = active.eventOne(CmEvent.Rejected.class);
        assertEquals(28, rejected.reason());
        assertArrayEquals(filled(148), rejected.privateData());
        passive.advance(2 * RESPONSE_TIMEOUT);
        passive.noEvent();
        assertEquals(0, passive.engine.connections());
    }

    @Test
    void repeatedRequestGetsTheSameRejectAgain() {
        CmConnection c = request();
        passive.engine.reject(c, 28, filled(148));
        byte[] first = passive.sent.remove().mad();
        active.advanceToDeadline();
        active.flushTo(passive);
        passive.noEvent();
        assertArrayEquals(first, passive.sent.remove().mad());
    }

    @Test
    void repeatedRequestGetsTheSameReplyAgain() {
        passive.accept(request());
        byte[] first = passive.sent.remove().mad();
        active.advanceToDeadline();
        active.flushTo(passive);
        passive.noEvent();
        assertArrayEquals(first, passive.sent.remove().mad());
    }

    @Test
    void repeatedReplyGetsTheReadyToUseAgain() {
        passive.accept(request());
        passive.flushTo(active);
        byte[] lost = active.sent.remove().mad();
        passive.advanceToDeadline();
        passive.flushTo(active);
        assertArrayEquals(lost, active.sent.element().mad());
        active.flushTo(passive);
        passive.eventOne(CmEvent.Established.class);
        active.eventOne(CmEvent.Established.class);
    }

    @Test
    void dataBeforeTheReadyToUseEstablishes() {
        CmConnection c = request();
        passive.accept(c);
        passive.flushTo(active);
        passive.engine.established(c);
        passive.eventOne(CmEvent.Established.class);
        active.flushTo(passive);
        passive.engine.established(c);
        passive.noEvent();
    }

    @Test
    void requestIsRepeatedAsOftenAsTheSettingsSayThenUnreachable() {
        active.connect(passive);
        for (int i = 0; i < 16; i++) {
            active.sentOne(Req.class);
            assertEquals(RESPONSE_TIMEOUT, active.engine.nanosToNextDeadline());
            active.noEvent();
            active.advanceToDeadline();
        }
        Rej rej = active.sentOne(Rej.class);
        assertEquals(CmEvent.Rejected.TIMEOUT, rej.reason());
        assertEquals(8, rej.additionalInfo().length);
        active.eventOne(CmEvent.Unreachable.class);
        assertEquals(0, active.engine.connections());
    }

    @Test
    void replyIsRepeatedAsOftenAsTheRequestSaysThenUnreachable() {
        Node hasty = new Node(
                "10.0.0.1",
                1,
                s -> new CmSettings(
                        s.local(), s.caGuid(), s.maxPathMtu(), 14, 3, 17, 15, 12, s.maxHalfOpen(), s.maxLingering()));
        passive.listen();
        hasty.connect(passive);
        hasty.flushTo(passive);
        CmConnection c = passive.requested();
        passive.accept(c);
        for (int i = 0; i < 4; i++) {
            passive.sentOne(Rep.class);
            assertEquals(4_096L << 14, passive.engine.nanosToNextDeadline());
            passive.advanceToDeadline();
        }
        passive.eventOne(CmEvent.Unreachable.class);
        assertEquals(Node.Qp.ERROR, passive.queuePairs.get(c));
        passive.flushTo(hasty);
        assertEquals(
                CmEvent.Rejected.TIMEOUT, hasty.eventOne(CmEvent.Rejected.class).reason());
    }

    @Test
    void rejectAfterTheReplyIsTold() {
        CmConnection c = request();
        passive.accept(c);
        active.engine.destroy(activeSide());
        active.flushTo(passive);
        assertEquals(
                CmEvent.Rejected.TIMEOUT, passive.eventOne(CmEvent.Rejected.class).reason());
        assertEquals(Node.Qp.ERROR, passive.queuePairs.get(c));
        assertEquals(0, passive.engine.connections());
    }

    @Test
    void replyToAnIdThatIsGoneIsRefused() {
        CmConnection c = request();
        active.engine.destroy(activeSide());
        active.sent.clear();
        passive.accept(c);
        passive.flushTo(active);
        active.flushTo(passive);
        assertEquals(6, passive.eventOne(CmEvent.Rejected.class).reason());
    }

    @Test
    void slowOwnerMakesTheEngineAskForTime() {
        CmConnection c = request();
        passive.advanceToDeadline();
        Mra mra = passive.sentOne(Mra.class);
        assertEquals(Mra.OF_REQ, mra.messageMraed());
        active.receive(passive.gid, mra.encode());
        assertEquals(RESPONSE_TIMEOUT + (4_096L << 21), active.engine.nanosToNextDeadline());
        passive.accept(c);
        passive.flushTo(active);
        active.eventOne(CmEvent.Established.class);
    }

    @Test
    void repeatedRequestBeforeTheOwnersAnswerGetsMoreTime() {
        request();
        active.advanceToDeadline();
        active.flushTo(passive);
        passive.noEvent();
        passive.sentOne(Mra.class);
    }

    @Test
    void moreTimeIsGivenOnlySoOften() {
        active.connect(passive);
        active.sent.clear();
        CmConnection c = activeSide();
        for (int i = 0; i < 16; i++) {
            active.receive(passive.gid, new Mra(0, 77, c.localCommId(), Mra.OF_REQ, 31).encode());
            assertEquals(RESPONSE_TIMEOUT + (4_096L << 24), active.engine.nanosToNextDeadline());
        }
        active.now += RESPONSE_TIMEOUT;
        active.receive(passive.gid, new Mra(0, 77, c.localCommId(), Mra.OF_REQ, 31).encode());
        assertEquals(4_096L << 24, active.engine.nanosToNextDeadline());
    }

    @Test
    void disconnectTellsBothSidesAndEndsWithTimewaitExit() {
        CmConnection p = establish();
        CmConnection a = activeSide();
        active.engine.disconnect(a);
        assertEquals(Node.Qp.ERROR, active.queuePairs.get(a));
        active.noEvent();
        active.flushTo(passive);
        passive.eventOne(CmEvent.Disconnected.class);
        assertEquals(Node.Qp.ERROR, passive.queuePairs.get(p));
        passive.flushTo(active);
        active.eventOne(CmEvent.Disconnected.class);
        active.advanceToDeadline();
        passive.advanceToDeadline();
        active.eventOne(CmEvent.TimewaitExit.class);
        passive.eventOne(CmEvent.TimewaitExit.class);
        assertEquals(0, active.engine.connections());
        assertEquals(0, passive.engine.connections());
    }

    @Test
    void unansweredDisconnectIsRepeatedThenTold() {
        CmConnection p = establish();
        passive.engine.disconnect(p);
        for (int i = 0; i < 8; i++) {
            passive.sentOne(Dreq.class);
            passive.noEvent();
            passive.advanceToDeadline();
        }
        passive.eventOne(CmEvent.Disconnected.class);
        passive.sentNothing();
        passive.advanceToDeadline();
        passive.eventOne(CmEvent.TimewaitExit.class);
    }

    @Test
    void bothSidesDisconnectAtOnce() {
        CmConnection p = establish();
        active.engine.disconnect(activeSide());
        passive.engine.disconnect(p);
        byte[] fromActive = active.sent.remove().mad();
        passive.flushTo(active);
        passive.receive(active.gid, fromActive);
        active.sentOne(Drep.class);
        passive.sentOne(Drep.class);
        active.eventOne(CmEvent.Disconnected.class);
        passive.eventOne(CmEvent.Disconnected.class);
    }

    @Test
    void disconnectBeforeTheReadyToUseEndsInOrder() {
        CmConnection c = request();
        passive.accept(c);
        passive.flushTo(active);
        active.sent.clear();
        active.events.clear();
        passive.engine.disconnect(c);
        passive.flushTo(active);
        active.eventOne(CmEvent.Disconnected.class);
        active.flushTo(passive);
        passive.eventOne(CmEvent.Disconnected.class);
    }

    @Test
    void disconnectRequestOfUnknownIdsIsAnswered() {
        passive.receive(active.gid, new Dreq(5, 77, 88, 1).encode());
        assertEquals(new Drep(5, 88, 77), passive.sentOne(Drep.class));
        passive.noEvent();
    }

    @Test
    void destroyWhileEstablishedDisconnectsWithoutEvents() {
        CmConnection p = establish();
        passive.engine.destroy(p);
        passive.flushTo(active);
        active.eventOne(CmEvent.Disconnected.class);
        active.flushTo(passive);
        passive.advanceToDeadline();
        passive.noEvent();
        assertEquals(0, passive.engine.connections());
    }

    @Test
    void destroyOfARequestRejectsIt() {
        passive.engine.destroy(request());
        passive.flushTo(active);
        assertEquals(28, active.eventOne(CmEvent.Rejected.class).reason());
    }

    @Test
    void destroyAfterTheReplyReachesAPeerThatWaitsStill() {
        CmConnection c = request();
        passive.accept(c);
        passive.sent.clear();
        passive.engine.destroy(c);
        passive.flushTo(active);
        assertEquals(28, active.eventOne(CmEvent.Rejected.class).reason());
    }

    @Test
    void destroyAfterTheReplyReachesAPeerThatIsEstablished() {
        CmConnection c = request();
        passive.accept(c);
        passive.flushTo(active);
        active.eventOne(CmEvent.Established.class);
        passive.engine.destroy(c);
        passive.sent.clear();
        passive.advanceToDeadline();
        passive.flushTo(active);
        active.eventOne(CmEvent.Disconnected.class);
        active.flushTo(passive);
        passive.noEvent();
    }

    @Test
    void destroyOfAnUnusedIdForgetsIt() {
        CmConnection c = active.engine.create(new TestId(1), passive.gid, Node.SERVICE);
        active.engine.destroy(c);
        assertEquals(0, active.engine.connections());
        active.sentNothing();
    }

    @Test
    void rejectOfAConnectionThatStandsDisconnects() {
        CmConnection p = establish();
        byte[] info = {};
        active.receive(
                passive.gid,
                new Rej(1, p.localCommId(), activeSide().localCommId(), Rej.OTHER, 28, info, new byte[148]).encode());
        active.eventOne(CmEvent.Disconnected.class);
        assertEquals(Node.Qp.ERROR, active.queuePairs.get(activeSide()));
    }

    @Test
    void queuePairThatCannotReceiveFailsBothSides() {
        CmConnection c = request();
        passive.refuseRtr = true;
        passive.accept(c);
        passive.eventOne(CmEvent.ConnectError.class);
        passive.flushTo(active);
        assertEquals(3, active.eventOne(CmEvent.Rejected.class).reason());
        passive.advanceToDeadline();
        passive.noEvent();
    }

    @Test
    void queuePairThatCannotSendFailsBothSides() {
        CmConnection c = request();
        passive.accept(c);
        passive.flushTo(active);
        active.eventOne(CmEvent.Established.class);
        passive.refuseRts = true;
        active.flushTo(passive);
        passive.eventOne(CmEvent.ConnectError.class);
        passive.flushTo(active);
        active.eventOne(CmEvent.Disconnected.class);
        active.flushTo(passive);
        passive.noEvent();
    }

    @Test
    void activeQueuePairThatCannotBeReadyFailsBothSides() {
        CmConnection c = request();
        active.refuseRts = true;
        passive.accept(c);
        passive.flushTo(active);
        active.eventOne(CmEvent.ConnectError.class);
        active.flushTo(passive);
        assertEquals(3, passive.eventOne(CmEvent.Rejected.class).reason());
        assertEquals(0, active.engine.connections());
    }

    /** The wrong field of a captured REQ, and the reason to refuse it. Offsets are those of the whole MAD. */
    @ParameterizedTest
    @CsvSource({
        "67, 0x02, 9", // reliable datagram
        "75, 0xf1, 9", // extended transport
        "95, 0x99, 12", // the sender's GID is not where it came from
        "111, 0x99, 12", // our GID is not ours
        "74, 0x07, 26", // no MTU
        "74, 0x67, 26", // an MTU of 8192
        "164, 0x10, 28", // CMA version
        "165, 0x50, 28", // IP version
        "199, 0x99, 28" // another destination address
    })
    void wrongRequestIsRefusedWithItsReason(int offset, String value, int reason) {
        Node target = new Node("10.77.0.3", 3, s -> s);
        target.listen();
        byte[] mad = Captured.mad("req-channel-0");
        mad[offset] = (byte) (int) Integer.decode(value);
        target.receive(Captured.INITIATOR, mad);
        assertEquals(reason, target.sentOne(Rej.class).reason());
        target.noEvent();
        assertEquals(0, target.engine.connections());
    }

    @Test
    void mtuThatThisPortCannotDoIsRefusedWithTheOneItCan() {
        Node small = new Node(
                "10.0.0.3",
                3,
                s -> CmSettings.of(s.local(), s.caGuid(), PathMtu.MTU_1024));
        small.listen();
        active.connect(small);
        active.flushTo(small);
        Rej rej = small.sentOne(Rej.class);
        assertEquals(26, rej.reason());
        assertArrayEquals(new byte[] {3}, rej.additionalInfo());
    }

    @Test
    void closeTellsEveryPeer() {
        CmConnection p = establish();
        passive.engine.close();
        passive.flushTo(active);
        active.eventOne(CmEvent.Disconnected.class);
        assertEquals(Node.Qp.ERROR, passive.queuePairs.get(p));
        active.flushTo(passive);
        passive.noEvent();
    }

    @Test
    void whatIsNoDatagramOfTheConnectionManagerIsDroppedAndSaidSo() {
        byte[] mad = Captured.mad("rtu-channel-0");
        assertTrue(passive.engine.onMad(active.gid, mad));
        mad[1] = 6;
        assertFalse(passive.engine.onMad(active.gid, mad));
        assertFalse(passive.engine.onMad(active.gid, new byte[0]));
    }

    @Test
    void rtuOfAnotherPeerIsNotTaken() {
        CmConnection c = request();
        passive.accept(c);
        byte[] rtu = new Rtu(1, activeSide().localCommId(), c.localCommId(), new byte[224]).encode();
        passive.receive(Captured.gid("10.0.0.9"), rtu);
        passive.noEvent();
        passive.receive(active.gid, rtu);
        passive.eventOne(CmEvent.Established.class);
    }
}
