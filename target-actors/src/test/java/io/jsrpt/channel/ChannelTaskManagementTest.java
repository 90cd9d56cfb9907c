package io.jsrpt.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.channel.Units.Piece;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.srp.TaskManagement;
import io.jsrpt.testing.RemoteMemory.Region;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Task management functions, at each point of a command's way. */
class ChannelTaskManagementTest {
    private static final long TM = 1L << 31;

    @Test
    void theAnswerComesOnlyWhenTheStoreHasLetGo() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        Region region = rig.region(4096);
        rig.run(Units.directIn(1, 0, Units.read10(0, 8), Piece.all(region)));
        ChannelRig.fill(rig.store.bytes(), 3);
        rig.run(Units.taskManagement(TM, 0, TaskManagement.ABORT_TASK, 1));
        assertTrue(rig.responses.isEmpty());
        rig.store.completeAll();
        rig.settle();
        assertEquals(List.of(TM), List.copyOf(rig.responses.keySet()));
        assertEquals(TaskManagement.COMPLETE, rig.responses.get(TM).code());
        assertArrayEquals(new byte[4096], region.bytes(), "nothing moves for an aborted command");
        rig.assertIdle();
        rig.shutDown();
    }

    /** Report 28 (multi-part RDMA, later completions hit freed state): READs that were posted are waited for. */
    @Test
    void report28AnAbortWaitsForTheRdmaReadsUnderWay() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            pieces.add(Piece.all(rig.pattern(512, i)));
        }
        rig.send(Units.indirectOut(1, 0, Units.write10(0, 6), pieces));
        rig.poll();
        rig.qp.work();
        rig.qp.work();
        rig.send(Units.taskManagement(TM, 0, TaskManagement.ABORT_TASK, 1));
        rig.poll();
        assertEquals(1, rig.io.statistics().poolUnitsTaken(), "the buffer is the READs'");
        assertTrue(rig.responses.isEmpty());
        rig.settle();
        assertEquals(TaskManagement.COMPLETE, rig.responses.get(TM).code());
        assertTrue(rig.store.log().isEmpty(), "no write of an aborted command");
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void aCommandThatWaitsForABufferIsAbortedAtOnce() throws RdmaException {
        ChannelRig rig = ChannelRig.live(new ChannelSettings(8, 64, 8276, 256, 64 << 10, 128 << 10));
        rig.store.hold(true);
        for (int i = 0; i < 3; i++) {
            rig.send(Units.directIn(i, 0, Units.read10(0, 128), Piece.all(rig.region(64 << 10))));
        }
        rig.settle();
        assertEquals(2, rig.store.heldCount());
        rig.run(Units.taskManagement(TM, 0, TaskManagement.ABORT_TASK, 2));
        assertEquals(TaskManagement.COMPLETE, rig.responses.remove(TM).code());
        rig.store.completeAll();
        rig.settle();
        assertEquals(List.of(0L, 1L), List.copyOf(rig.responses.keySet()));
        rig.assertIdle();
    }

    @Test
    void aReadThatGoesInRoundsStopsWhenItIsAborted() throws RdmaException {
        ChannelRig rig = ChannelRig.live(new ChannelSettings(4, 8, 8276, 256, 1 << 20, 2 << 20));
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            pieces.add(Piece.all(rig.region(512)));
        }
        rig.send(Units.indirectIn(1, 0, Units.read10(0, 40), pieces));
        rig.poll();
        rig.qp.workAll();
        rig.send(Units.taskManagement(TM, 0, TaskManagement.ABORT_TASK, 1));
        rig.settle();
        assertEquals(TaskManagement.COMPLETE, rig.responses.remove(TM).code());
        assertTrue(rig.responses.isEmpty());
        assertTrue(rig.qp.takeExecuted().stream().filter(w -> w.opcode() == Opcode.RDMA_WRITE).count() < 40);
        rig.assertIdle();
        rig.shutDown();
    }

    /** Report 29 (abort and completion both finish a command): the response was posted first, so it stands. */
    @Test
    void report29AnAbortAfterTheResponseWasPostedFindsNoTask() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.send(Units.directIn(1, 0, Units.read10(0, 1), Piece.all(rig.region(512))));
        rig.poll();
        rig.send(Units.taskManagement(TM, 0, TaskManagement.ABORT_TASK, 1));
        rig.settle();
        assertEquals(List.of(1L, TM), List.copyOf(rig.responses.keySet()));
        assertEquals(TaskManagement.COMPLETE, rig.responses.get(TM).code());
        rig.assertIdle();
    }

    /** Report 29: two aborts of one task; it ends once, and both are answered then. */
    @Test
    void report29ATaskThatIsAbortedTwiceEndsOnce() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        rig.run(Units.directIn(1, 0, Units.read10(0, 1), Piece.all(rig.region(512))));
        rig.run(Units.taskManagement(TM, 0, TaskManagement.ABORT_TASK, 1));
        rig.run(Units.taskManagement(TM + 1, 0, TaskManagement.ABORT_TASK, 1));
        assertTrue(rig.responses.isEmpty());
        rig.store.completeAll();
        rig.settle();
        assertEquals(List.of(TM, TM + 1), List.copyOf(rig.responses.keySet()));
        assertEquals(1, rig.io.statistics().aborted());
        rig.assertIdle();
    }

    @Test
    void aTaskOfAnotherLogicalUnitIsLeftAlone() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        rig.run(Units.directIn(1, 0, Units.read10(0, 1), Piece.all(rig.region(512))));
        rig.run(Units.taskManagement(TM, 1, TaskManagement.ABORT_TASK, 1));
        assertEquals(TaskManagement.COMPLETE, rig.responses.remove(TM).code());
        rig.store.completeAll();
        rig.settle();
        assertEquals(0, rig.responses.get(1L).status());
        rig.assertIdle();
    }

    @Test
    void whatCannotBeDoneIsAnsweredAllTheSame() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        assertEquals(TaskManagement.NOT_SUPPORTED,
                rig.call(Units.taskManagement(1, 0, TaskManagement.CLEAR_ACA, 0)).code());
        assertEquals(TaskManagement.NOT_SUPPORTED, rig.call(Units.taskManagement(2, 0, 0x77, 0)).code());
        assertEquals(TaskManagement.FAILED,
                rig.call(Units.taskManagement(3, 9, TaskManagement.LOGICAL_UNIT_RESET, 0)).code());
        rig.assertIdle();
    }

    @Test
    void aResetIsAnsweredWhenTheOwnTasksHaveEndedAndTheOwnerHasAnswered() throws RdmaException {
        for (boolean ownerFirst : new boolean[] {true, false}) {
            ChannelRig rig = ChannelRig.live();
            rig.store.hold(true);
            rig.store1.hold(true);
            rig.run(Units.directIn(1, 0, Units.read10(0, 1), Piece.all(rig.region(512))));
            rig.run(Units.directOut(2, 0, Units.write10(0, 1), Piece.all(rig.region(512))));
            rig.run(Units.directIn(3, 1, Units.read10(0, 1), Piece.all(rig.region(512))));
            rig.run(Units.taskManagement(TM, 0, TaskManagement.LOGICAL_UNIT_RESET, -1));
            TaskManagementRequest request = rig.requests.getFirst();
            assertEquals(TaskManagementRequest.Function.LOGICAL_UNIT_RESET, request.function());
            assertEquals(rig.unit0, request.unit());
            Runnable answer = () -> rig.io.completeTaskManagement(request, TaskManagement.COMPLETE);
            Runnable end = () -> {
                rig.store.completeAll();
                rig.settle();
            };
            (ownerFirst ? answer : end).run();
            rig.settle();
            assertTrue(rig.responses.isEmpty());
            (ownerFirst ? end : answer).run();
            rig.settle();
            assertEquals(List.of(TM), List.copyOf(rig.responses.keySet()));
            assertEquals(TaskManagement.COMPLETE, rig.responses.get(TM).code());
            assertEquals(3, rig.responses.get(TM).delta());
            assertThrows(IllegalStateException.class, answer::run);
            rig.store1.completeAll();
            rig.settle();
            assertEquals(0, rig.responses.get(3L).status());
            rig.assertIdle();
            rig.shutDown();
        }
    }

    @Test
    void theOwnersAnswerDecidesTheCode() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.run(Units.taskManagement(TM, 0, TaskManagement.CLEAR_TASK_SET, 0));
        rig.run(Units.taskManagement(TM + 1, 0, TaskManagement.ABORT_TASK_SET, 0));
        rig.io.completeTaskManagement(rig.requests.get(1), TaskManagement.COMPLETE);
        rig.io.completeTaskManagement(rig.requests.get(0), TaskManagement.FAILED);
        rig.settle();
        assertEquals(TaskManagement.FAILED, rig.responses.get(TM).code());
        assertEquals(TaskManagement.COMPLETE, rig.responses.get(TM + 1).code());
        rig.assertIdle();
    }

    @Test
    void anotherChannelsResetWaitsForTheTasksHere() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        rig.run(Units.directIn(1, 0, Units.read10(0, 1), Piece.all(rig.region(512))));
        boolean[] done = new boolean[2];
        rig.io.abortTasks(rig.unit0, () -> done[0] = true);
        assertFalse(done[0]);
        rig.io.abortTasks(rig.unit1, () -> done[1] = true);
        assertTrue(done[1], "no task of that unit is here");
        rig.store.completeAll();
        rig.settle();
        assertTrue(done[0]);
    }

    /** The answer goes through another queue pair: it must not overtake data that are on their way through this one. */
    @Test
    void anotherChannelsResetWaitsForDataAndResponsesOnTheirWay() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        ChannelRig.fill(rig.store.bytes(), 3);
        Region region = rig.region(512);
        rig.send(Units.directIn(1, 0, Units.read10(0, 1), Piece.all(region)));
        rig.poll();
        List<byte[]> atTheAnswer = new ArrayList<>();
        rig.io.abortTasks(rig.unit0, () -> atTheAnswer.add(region.bytes().clone()));
        assertTrue(atTheAnswer.isEmpty(), "the data are still to be written");
        rig.settle();
        assertEquals(0, rig.responses.get(1L).status());
        assertArrayEquals(region.bytes(), atTheAnswer.getFirst());
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void anotherChannelsResetIsAnsweredWhenTheConnectionBreaksUnderAResponse() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.send(Units.directIn(1, 0, Units.read10(0, 1), Piece.all(rig.region(512))));
        rig.poll();
        boolean[] done = new boolean[1];
        rig.io.abortTasks(rig.unit0, () -> done[0] = true);
        rig.io.beginDrain();
        rig.settle();
        assertTrue(done[0]);
        rig.shutDown();
    }

    @Test
    void theAnswerToARequestOfAChannelThatDrainedIsHarmless() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.run(Units.taskManagement(TM, 0, TaskManagement.LOGICAL_UNIT_RESET, 0));
        rig.io.beginDrain();
        rig.settle();
        assertTrue(rig.io.drained());
        rig.io.completeTaskManagement(rig.requests.getFirst(), TaskManagement.COMPLETE);
        rig.shutDown();
        assertTrue(rig.responses.isEmpty());
    }
}
