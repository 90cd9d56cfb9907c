package io.jsrpt.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.channel.Units.Piece;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import io.jsrpt.srp.SrpOpcode;
import io.jsrpt.testing.FakeDevice;
import io.jsrpt.testing.FakeQueuePair;
import io.jsrpt.testing.ManualStore;
import io.jsrpt.testing.RemoteMemory.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening that fails, connections that break, and the end. */
class ChannelTeardownTest {
    @ParameterizedTest
    @ValueSource(strings = {"memory-regions", "completion-queues", "queue-pairs"})
    void openingThatFailsUndoesWhatWasDone(String kind) throws RdmaException {
        FakeDevice device = new FakeDevice();
        device.noRoomForNext(kind);
        AgreedLogin agreed = new AgreedLogin(256, 0, false, false);
        assertThrows(RdmaException.class, () -> new ChannelRig(device, ChannelRig.SMALL, agreed));
        assertEquals(Map.of(), device.open());
    }

    @Test
    void aDeviceWithTooSmallQueuesIsRefused() {
        FakeDevice device = new FakeDevice(3, 1L << 31);
        AgreedLogin agreed = new AgreedLogin(256, 0, false, false);
        assertThrows(RdmaException.class, () -> new ChannelRig(device, ChannelRig.SMALL, agreed));
        assertEquals(Map.of(), device.open());
    }

    @Test
    void aChannelThatWasNeverLiveIsClosed() throws RdmaException {
        ChannelRig rig = new ChannelRig();
        rig.send(Units.plain(1, 0, Units.testUnitReady()));
        rig.shutDown();
    }

    @Test
    void aChannelWhoseQueuePairNeverConnectedDrainsAtOnce() throws RdmaException {
        ChannelRig rig = new ChannelRig();
        rig.qp.refusePostAfter(0);
        rig.io.beginDrain();
        assertTrue(rig.io.drained());
        rig.io.close();
        rig.assertClosed();
    }

    @Test
    void drainingWaitsForTheStore() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        rig.run(Units.directIn(1, 0, Units.read10(0, 8), Piece.all(rig.region(4096))));
        rig.run(Units.immediate(2, 0, Units.write10(0, 1), new byte[512]));
        rig.io.beginDrain();
        rig.settle();
        assertFalse(rig.io.drained());
        assertThrows(IllegalStateException.class, rig.io::close);
        rig.store.take().complete();
        rig.settle();
        assertFalse(rig.io.drained());
        rig.store.take().fail();
        rig.settle();
        assertTrue(rig.io.drained());
        assertEquals(1, rig.storeFailures.size());
        rig.io.close();
        rig.io.close();
        rig.assertClosed();
        assertTrue(rig.responses.isEmpty());
    }

    @Test
    void anAbandonedChannelIsFreedByTheThreadOfTheLastStoreOperation() throws Exception {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        rig.run(Units.directIn(1, 0, Units.read10(0, 8), Piece.all(rig.region(4096))));
        rig.run(Units.directIn(2, 0, Units.read10(0, 8), Piece.all(rig.region(4096))));
        List<String> freedBy = new ArrayList<>();
        // One has ended already, but the owner has not heard of it.
        rig.store.take().complete();
        rig.io.abandon(() -> freedBy.add(Thread.currentThread().getName()));
        assertEquals(Map.of("protection-domains", 1), rig.device.open());
        assertTrue(freedBy.isEmpty());
        ManualStore.Operation last = rig.store.take();
        Thread thread = new Thread(last::complete, "store");
        thread.start();
        thread.join();
        assertEquals(List.of("store"), freedBy);
        rig.assertClosed();
    }

    @Test
    void anAbandonedChannelThatIsIdleIsFreedAtOnce() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        boolean[] freed = new boolean[2];
        rig.io.abandon(() -> freed[0] = true);
        assertTrue(freed[0]);
        rig.io.abandon(() -> freed[1] = true);
        assertTrue(freed[1]);
        rig.io.close();
        assertInstanceOf(PollOutcome.Continue.class, rig.io.poll());
        rig.assertClosed();
    }

    /** Report 30 (relogin floods the log with flush errors): one reason, then silence. */
    @Test
    void report30AFailureIsToldOnce() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        for (int i = 0; i < 6; i++) {
            rig.send(Units.directIn(i, 0, Units.read10(0, 1), Piece.all(rig.region(512))));
        }
        rig.poll();
        rig.qp.failNext(Status.RETRY_EXCEEDED);
        rig.settle();
        rig.io.beginDrain();
        rig.settle();
        assertEquals(1, rig.outcomes.size());
        assertTrue(((PollOutcome.Failed) rig.outcomes.getFirst()).reason().contains("RETRY_EXCEEDED"));
        assertTrue(rig.io.drained());
        rig.shutDown();
    }

    /** Report 30: a queue pair that the CM took to the error state is not a fault. */
    @Test
    void report30FlushesAreNoFailure() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.id.disconnect();
        rig.settle();
        assertEquals(List.of(PollOutcome.FLUSHED), rig.outcomes);
        rig.shutDown();
    }

    /** Report 28 (RDMA fails half way): no part of the write reaches the store, and nothing is used twice. */
    @Test
    void report28ARdmaReadThatFailsLeavesTheStoreAlone() throws RdmaException {
        for (int good = 0; good < 4; good++) {
            ChannelRig rig = ChannelRig.live();
            List<Piece> pieces = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                pieces.add(Piece.all(rig.pattern(512, i)));
            }
            rig.device.remote().deregister(pieces.get(good).region());
            rig.send(Units.indirectOut(1, 0, Units.write10(0, 4), pieces));
            rig.settle();
            assertInstanceOf(PollOutcome.Failed.class, rig.outcomes.getFirst());
            assertTrue(rig.store.log().isEmpty());
            assertTrue(rig.responses.isEmpty());
            rig.shutDown();
        }
    }

    @Test
    void aFailedFetchOfATableEndsTheConnection() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        Region table = rig.region(32);
        rig.device.remote().deregister(table);
        List<Piece> pieces = List.of(Piece.all(rig.region(512)), Piece.all(rig.region(512)));
        rig.send(Units.externalIn(1, 0, Units.read10(0, 2), pieces, table));
        rig.settle();
        assertInstanceOf(PollOutcome.Failed.class, rig.outcomes.getFirst());
        rig.shutDown();
    }

    @Test
    void logoutIsTold() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.run(Units.logout(1));
        assertEquals(List.of(PollOutcome.LOGGED_OUT), rig.outcomes);
        rig.shutDown();
    }

    @Test
    void unitsThatBreakTheProtocolCostTheConnection() throws RdmaException {
        List<byte[]> units = List.of(
                new byte[0],
                new byte[] {0x77},
                new byte[] {(byte) SrpOpcode.RSP, 0, 0, 0},
                new byte[] {SrpOpcode.LOGIN_REQ},
                new byte[] {SrpOpcode.AER_RSP, 0},
                cut(Units.plain(1, 0, Units.testUnitReady()), 47),
                cut(Units.taskManagement(1, 0, 1, 1), 47),
                cut(Units.logout(1), 15));
        for (byte[] unit : units) {
            ChannelRig rig = ChannelRig.live();
            rig.qp.deliver(unit);
            rig.settle();
            assertEquals(1, rig.outcomes.size());
            PollOutcome.ProtocolError error =
                    assertInstanceOf(PollOutcome.ProtocolError.class, rig.outcomes.getFirst());
            rig.io.sendTargetLogout(error.logoutReason());
            rig.io.sendTargetLogout(error.logoutReason());
            rig.settle();
            assertEquals(List.of(error.logoutReason()), rig.logouts);
            rig.shutDown();
        }
    }

    @Test
    void aMessageLongerThanAUnitMayBeFailsTheConnection() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.qp.deliver(new byte[ChannelRig.SMALL.maxRequestBytes() + 1]);
        rig.settle();
        assertInstanceOf(PollOutcome.Failed.class, rig.outcomes.getFirst());
        rig.shutDown();
    }

    @Test
    void whatComesAfterTheEndIsNotServed() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.send(Units.logout(1));
        rig.send(Units.directOut(2, 0, Units.write10(0, 1), Piece.all(rig.pattern(512, 1))));
        rig.settle();
        assertTrue(rig.store.log().isEmpty());
        assertTrue(rig.responses.isEmpty());
        rig.shutDown();
    }

    /** A new session may write the same blocks: nothing of the old one may come after. */
    @Test
    void noWriteBeginsOnceServingHasStopped() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.send(Units.directOut(1, 0, Units.write10(0, 1), Piece.all(rig.pattern(512, 1))));
        rig.poll();
        rig.qp.work();
        rig.send(Units.immediate(2, 0, Units.write10(0, 1), new byte[512]));
        rig.io.stopServing();
        assertFalse(rig.io.storesWork());
        rig.settle();
        assertTrue(rig.store.log().isEmpty());
        assertTrue(rig.outcomes.isEmpty(), "whoever stops it needs not be told");
        rig.shutDown();
    }

    @Test
    void aWriteThatTheStoreHasIsAwaited() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        rig.run(Units.immediate(1, 0, Units.write10(0, 1), new byte[512]));
        rig.io.stopServing();
        assertTrue(rig.io.storesWork());
        rig.store.completeAll();
        rig.settle();
        assertFalse(rig.io.storesWork());
        assertTrue(rig.responses.isEmpty());
        rig.shutDown();
    }

    @Test
    void resetsOfOtherChannelsAreAnsweredWhenThisOneDrains() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.send(Units.directOut(1, 0, Units.write10(0, 1), Piece.all(rig.pattern(512, 1))));
        rig.poll();
        boolean[] done = new boolean[1];
        rig.io.abortTasks(rig.unit0, () -> done[0] = true);
        assertFalse(done[0]);
        rig.io.beginDrain();
        rig.settle();
        assertTrue(done[0]);
        rig.shutDown();
    }

    @Test
    void aSilentConnectionIsProbedAndOneThatIsHeardOfIsNot() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.call(Units.plain(1, 0, Units.testUnitReady()));
        rig.qp.takeExecuted();
        rig.io.probe();
        assertEquals(0, rig.qp.workWaiting(), "something was heard since the start");
        rig.io.probe();
        assertEquals(1, rig.qp.workWaiting());
        rig.io.probe();
        assertEquals(1, rig.qp.workWaiting(), "one probe at a time");
        rig.settle();
        FakeQueuePair.Work probe = rig.qp.takeExecuted().getFirst();
        assertEquals(Opcode.RDMA_WRITE, probe.opcode());
        assertEquals(0, probe.length());
        assertTrue(rig.outcomes.isEmpty());
        rig.io.probe();
        assertEquals(0, rig.qp.workWaiting(), "the probe was answered");
        rig.call(Units.plain(2, 0, Units.testUnitReady()));
        rig.shutDown();
    }

    @Test
    void aProbeThatIsNotAnsweredEndsTheConnection() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.io.probe();
        rig.qp.failNext(Status.RETRY_EXCEEDED);
        rig.settle();
        assertTrue(((PollOutcome.Failed) rig.outcomes.getFirst()).reason().contains("RETRY_EXCEEDED"));
        rig.io.beginDrain();
        rig.io.probe();
        rig.settle();
        rig.shutDown();
    }

    private static byte[] cut(byte[] unit, int length) {
        return java.util.Arrays.copyOf(unit, length);
    }
}
