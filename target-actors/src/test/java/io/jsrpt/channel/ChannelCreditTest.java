package io.jsrpt.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.channel.Units.Piece;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.srp.TaskManagement;
import io.jsrpt.testing.FakeDevice;
import io.jsrpt.testing.RemoteMemory.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Credits, receives, and units that have to wait. */
class ChannelCreditTest {
    @Test
    void theInitialCreditsAreTheRequestQueue() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        assertEquals(8, rig.io.initialCredits());
        assertTrue(rig.qp.receivesPosted() >= 8);
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void theDevicesQueueLimitBoundsTheCredits() throws RdmaException {
        ChannelRig rig = new ChannelRig(
                new FakeDevice(16, 1L << 31), ChannelSettings.DEFAULT, new AgreedLogin(256, 0, false, false));
        assertEquals(14, rig.io.initialCredits());
        assertEquals(16, rig.qp.spec().maxSendWorkRequests());
        rig.shutDown();
    }

    /** Report 4 (credits shrink with every abort). */
    @Test
    void report4TheCreditOfAnAbortedCommandComesBackWithTheNextResponse() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        for (int round = 0; round < 20; round++) {
            rig.send(Units.directIn(100 + round, 0, Units.read10(0, 8), Piece.all(rig.region(4096))));
            rig.settle();
            rig.run(Units.taskManagement(200 + round, 0, TaskManagement.ABORT_TASK, 100 + round));
            rig.store.completeAll();
            rig.settle();
            ChannelRig.Response response = rig.responses.remove(200L + round);
            assertEquals(TaskManagement.COMPLETE, response.code());
            assertEquals(2, response.delta());
            assertTrue(rig.responses.isEmpty(), "an aborted command has no response");
        }
        rig.assertIdle();
    }

    /** Report 5 (req_lim below zero): no more credits are out than receives; checked at each response. */
    @Test
    void report5CreditsNeverExceedThePostedReceives() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        byte[] data = new byte[512];
        rig.store.hold(true);
        for (int i = 0; i < 8; i++) {
            rig.send(Units.immediate(i, 0, Units.write10(i, 1), data));
        }
        rig.settle();
        assertEquals(0, rig.credits);
        assertEquals(2, rig.qp.receivesPosted());
        for (int i = 0; i < 8; i++) {
            rig.store.take().complete();
            rig.settle();
            assertEquals(i + 1, rig.credits);
        }
        rig.assertIdle();
    }

    @Test
    void aResponseThatCannotBePostedKeepsItsCredits() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.send(Units.plain(1, 0, Units.testUnitReady()));
        // The receive is posted again, the response is refused.
        rig.qp.refusePostAfter(1);
        assertInstanceOf(PollOutcome.Failed.class, rig.poll());
        ChannelStatistics s = rig.io.statistics();
        assertEquals(7, s.creditsHeld());
        assertEquals(1, s.requestsUnderWay());
        assertEquals(0, s.responses());
        rig.shutDown();
    }

    /** Report 23 (units before RTU were lost or reordered). */
    @Test
    void report23UnitsThatComeBeforeTheConnectionStandsWaitInOrder() throws RdmaException {
        ChannelRig rig = new ChannelRig();
        List<Region> regions = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            regions.add(rig.pattern(512, i + 1));
            rig.send(Units.directOut(i, 0, Units.write10(0, 1), Piece.all(regions.get(i))));
            rig.settle();
        }
        assertEquals(4, rig.io.statistics().unitsWaiting());
        assertTrue(rig.qp.takeExecuted().isEmpty());
        // One more arrives together with the event: it is not taken ahead.
        regions.add(rig.pattern(512, 5));
        rig.send(Units.directOut(4, 0, Units.write10(0, 1), Piece.all(regions.get(4))));
        rig.io.live();
        rig.poll();
        rig.settle();
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L), List.copyOf(rig.responses.keySet()));
        assertArrayEquals(regions.get(4).bytes(), Arrays.copyOf(rig.store.bytes(), 512));
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void aUnitThatFindsNoContextWaitsItsTurn() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        for (int i = 0; i < 8; i++) {
            rig.send(Units.plain(i, 0, Units.testUnitReady()));
        }
        rig.poll();
        // The responses have reached the initiator, their completions have not come back here.
        for (int i = 0; i < 7; i++) {
            rig.qp.work();
        }
        rig.takeResponses();
        rig.store.hold(true);
        rig.send(Units.plain(8, 0, Units.synchronizeCache()));
        rig.send(Units.plain(9, 0, Units.testUnitReady()));
        rig.settle();
        rig.store.completeAll();
        rig.settle();
        assertEquals(10, rig.responses.size());
        rig.assertIdle();
    }

    /** An initiator that sends without credits harms no one but itself. */
    @Test
    void requestsBeyondTheLimitAreServedButEarnNoCredit() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        for (int i = 0; i < 10; i++) {
            rig.qp.deliver(Units.plain(i, 0, Units.synchronizeCache()));
        }
        rig.credits = 0;
        rig.settle();
        assertEquals(2, rig.io.statistics().creditOverruns());
        assertEquals(2, rig.io.statistics().unitsWaiting());
        rig.store.completeAll();
        rig.settle();
        rig.store.completeAll();
        rig.settle();
        assertEquals(10, rig.responses.size());
        assertEquals(8, rig.credits);
        assertEquals(8, rig.io.statistics().creditsHeld());
        rig.shutDown();
    }

    @Test
    void creditsThatNoResponseWillCarryAreOfferedByCreditRequest() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        for (int i = 0; i < 8; i++) {
            rig.send(Units.directIn(i, 0, Units.read10(i, 1), Piece.all(rig.region(512))));
        }
        rig.settle();
        assertEquals(0, rig.credits);
        List<String> done = new ArrayList<>();
        rig.io.abortTasks(rig.unit0, () -> done.add("reset"));
        rig.store.completeAll();
        rig.settle();
        assertEquals(List.of("reset"), done);
        assertTrue(rig.responses.isEmpty());
        assertTrue(rig.creditRequests > 0);
        for (int answered = 0; answered < rig.creditRequests; answered++) {
            rig.answerCreditRequest();
            rig.settle();
        }
        assertEquals(8, rig.credits);
        assertTrue(rig.outcomes.isEmpty());
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void aCreditResponseWithoutARequestBreaksTheProtocol() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.answerCreditRequest();
        rig.settle();
        assertInstanceOf(PollOutcome.ProtocolError.class, rig.outcomes.getFirst());
    }
}
