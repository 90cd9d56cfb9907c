package io.jsrpt.rdma.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.SharedReceiveQueue;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.util.Optional;

/** One end of a connection: an id, its queue pair, and a completion queue for each of its queues. */
record Endpoint(Side side, CmId id, QueuePair qp, CompletionQueue sends, CompletionQueue receives)
        implements AutoCloseable {
    private static final byte[] NOTHING = {};

    /** Two ends that are connected. */
    record Pair(Endpoint left, Endpoint right) {}

    /** Connects the left side to the right one. */
    static Pair connect(Side left, Side right) throws RdmaException {
        return connect(left, right, Side.PARAMETERS);
    }

    static Pair connect(Side left, Side right, ConnectionParameters parameters) throws RdmaException {
        CmId listener = right.events().listen(Side.RDMA_CM);
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        active.id.connect(parameters, NOTHING);
        Endpoint passive = accept(right, parameters, Optional.empty());
        left.next(CmEvent.Established.class);
        right.next(CmEvent.Established.class);
        listener.destroy();
        return new Pair(active, passive);
    }

    /** Takes the next request and accepts it. */
    static Endpoint accept(Side right, ConnectionParameters parameters, Optional<SharedReceiveQueue> shared)
            throws RdmaException {
        CmEvent.ConnectRequest request = right.next(CmEvent.ConnectRequest.class);
        Endpoint passive = right.endpoint(request.id(), shared);
        passive.id.accept(parameters, NOTHING);
        return passive;
    }

    /** Posts a receive and rings. */
    void postReceive(long workRequestId, MemoryRegion region, long offset, int length) throws RdmaException {
        qp.postReceive(workRequestId, region.memory().address() + offset, length, region.lkey());
        qp.ringDoorbell();
    }

    /** Posts a signalled SEND and rings. */
    void send(long workRequestId, MemoryRegion region, long offset, int length) throws RdmaException {
        qp.postSend(workRequestId, region.memory().address() + offset, length, region.lkey(), QueuePair.SIGNALED);
        qp.ringDoorbell();
    }

    /** Posts a signalled RDMA WRITE and rings. */
    void write(long workRequestId, MemoryRegion from, long offset, int length, long address, int rkey)
            throws RdmaException {
        qp.postRdmaWrite(
                workRequestId,
                from.memory().address() + offset,
                length,
                from.lkey(),
                address,
                rkey,
                QueuePair.SIGNALED);
        qp.ringDoorbell();
    }

    /** Posts a signalled RDMA READ and rings. */
    void read(long workRequestId, MemoryRegion to, long offset, int length, long address, int rkey)
            throws RdmaException {
        qp.postRdmaRead(
                workRequestId, to.memory().address() + offset, length, to.lkey(), address, rkey, QueuePair.SIGNALED);
        qp.ringDoorbell();
    }

    WorkCompletion nextSend() {
        return next(sends, "send completion");
    }

    WorkCompletion nextReceive() {
        return next(receives, "receive completion");
    }

    private WorkCompletion next(CompletionQueue queue, String what) {
        return side.await(() -> poll(queue), queue::arm, what);
    }

    private static Optional<WorkCompletion> poll(CompletionQueue queue) {
        WorkCompletion completion = new WorkCompletion();
        return queue.poll(completion) ? Optional.of(completion) : Optional.empty();
    }

    /** Takes the next send completion and checks it. */
    void expectSend(long workRequestId, Status status, Opcode opcode) {
        WorkCompletion c = nextSend();
        assertEquals(status, c.status(), c::toString);
        assertEquals(workRequestId, c.workRequestId(), c::toString);
        assertEquals(opcode, c.opcode(), c::toString);
        assertEquals(qp.number(), c.queuePairNumber(), c::toString);
    }

    /** Takes the next receive completion, which must have succeeded, and checks it. */
    void expectReceive(long workRequestId, int bytes) {
        WorkCompletion c = nextReceive();
        assertEquals(Status.SUCCESS, c.status(), c::toString);
        assertEquals(workRequestId, c.workRequestId(), c::toString);
        assertEquals(bytes, c.byteLength(), c::toString);
        assertEquals(Opcode.RECEIVE, c.opcode(), c::toString);
        assertEquals(qp.number(), c.queuePairNumber(), c::toString);
    }

    /** Takes the next receive completion, which must have failed this way. */
    void expectReceive(long workRequestId, Status status) {
        WorkCompletion c = nextReceive();
        assertEquals(status, c.status(), c::toString);
        assertEquals(workRequestId, c.workRequestId(), c::toString);
        assertEquals(Opcode.RECEIVE, c.opcode(), c::toString);
    }

    /** Nothing has completed that was not taken. */
    void expectNoMore() {
        WorkCompletion c = new WorkCompletion();
        assertFalse(sends.poll(c), c::toString);
        assertFalse(receives.poll(c), c::toString);
    }

    @Override
    public void close() {
        qp.close();
        id.destroy();
    }
}
