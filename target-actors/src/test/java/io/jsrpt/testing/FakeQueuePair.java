package io.jsrpt.testing;

import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A queue pair that works when the test says so: {@link #work} executes one posted work request, {@link #workAll} all
 * of them, {@link #deliver} brings a unit of the peer. It checks what an owner must keep: queue depths, local keys, no
 * use after close.
 */
public final class FakeQueuePair implements QueuePair {
    private final FakeDevice device;
    private final QueuePairSpec spec;
    private final int number;
    private final RemoteMemory remote;
    private final Deque<Work> posted = new ArrayDeque<>();
    private final Deque<Work> visible = new ArrayDeque<>();
    private final Deque<Receive> receives = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<Work> executed = new ArrayList<>();
    private QpState state = QpState.RTS;
    private Optional<Status> nextFailure = Optional.empty();
    private int postsUntilRefusal = -1;
    private int outstanding;
    private int unsignalled;
    private int doorbells;
    private boolean closed;

    /** A SEND that was executed. */
    public record Sent(byte[] bytes, boolean solicited) {}

    /** A posted work request of the send queue. */
    public record Work(
            long id, Opcode opcode, long address, int length, int lkey, long remoteAddress, int rkey, int flags) {
        /** Whether it completes on success too. */
        public boolean signalled() {
            return (flags & SIGNALED) != 0;
        }
    }

    private record Receive(long id, long address, int length, int lkey) {}

    FakeQueuePair(FakeDevice device, QueuePairSpec spec, int number, RemoteMemory remote) {
        this.device = device;
        this.spec = spec;
        this.number = number;
        this.remote = remote;
    }

    /** The SENDs executed since the last call. */
    public List<Sent> takeSent() {
        List<Sent> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** The work requests executed since the last call, also those that failed. */
    public List<Work> takeExecuted() {
        List<Work> taken = List.copyOf(executed);
        executed.clear();
        return taken;
    }

    /** Receives that are posted. */
    public int receivesPosted() {
        return receives.size();
    }

    /** Work requests of the send queue that wait to be executed. */
    public int workWaiting() {
        return visible.size();
    }

    /** How often the doorbell was rung since the last call. */
    public int takeDoorbells() {
        int taken = doorbells;
        doorbells = 0;
        return taken;
    }

    /** The spec that it was created with. */
    public QueuePairSpec spec() {
        return spec;
    }

    /** The next work request to be executed fails so. */
    public void failNext(Status status) {
        nextFailure = Optional.of(status);
    }

    /** So many posts succeed, the one after is refused. */
    public void refusePostAfter(int posts) {
        postsUntilRefusal = posts;
    }

    /** Executes the oldest work request; false when there is none. */
    public boolean work() {
        if (closed || visible.isEmpty()) {
            return false;
        }
        Work work = visible.remove();
        executed.add(work);
        Status status = nextFailure.orElseGet(() -> execute(work));
        nextFailure = Optional.empty();
        if (work.signalled() || status != Status.SUCCESS) {
            complete(work, status);
        } else {
            unsignalled++;
        }
        if (status != Status.SUCCESS) {
            moveToError();
        }
        return true;
    }

    /** Executes all that was posted. */
    public void workAll() {
        boolean more;
        do {
            more = work();
        } while (more);
    }

    /** A message of the peer arrives; it needs a posted receive, of room enough or the queue pair fails. */
    public void deliver(byte[] message) {
        if (state == QpState.ERROR) {
            return;
        }
        if (receives.isEmpty()) {
            throw new AssertionError("receiver not ready");
        }
        Receive receive = receives.remove();
        if (message.length > receive.length) {
            cq(spec).add(receive.id, Status.LOCAL_LENGTH_ERROR, Opcode.RECEIVE, 0, number);
            moveToError();
            return;
        }
        MemorySegment into = device.local(receive.address, message.length, receive.lkey).orElseThrow();
        MemorySegment.copy(message, 0, into, ValueLayout.JAVA_BYTE, 0, message.length);
        cq(spec).add(receive.id, Status.SUCCESS, Opcode.RECEIVE, message.length, number);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QpState state() {
        return state;
    }

    @Override
    public void postReceive(long workRequestId, long address, int length, int lkey) throws RdmaException {
        admit();
        if (receives.size() == spec.maxReceiveWorkRequests()) {
            throw new RdmaException("the receive queue is full");
        }
        Receive receive = new Receive(workRequestId, address, length, lkey);
        if (state == QpState.ERROR) {
            cq(spec).add(workRequestId, Status.WORK_REQUEST_FLUSHED, Opcode.RECEIVE, 0, number);
        } else {
            receives.add(receive);
        }
    }

    @Override
    public void postSend(long workRequestId, long address, int length, int lkey, int flags) throws RdmaException {
        post(new Work(workRequestId, Opcode.SEND, address, length, lkey, 0, 0, flags));
    }

    @Override
    public void postRdmaWrite(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        post(new Work(workRequestId, Opcode.RDMA_WRITE, address, length, lkey, remoteAddress, rkey, flags));
    }

    @Override
    public void postRdmaRead(
            long workRequestId, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        post(new Work(workRequestId, Opcode.RDMA_READ, address, length, lkey, remoteAddress, rkey, flags));
    }

    @Override
    public void ringDoorbell() {
        check();
        doorbells++;
        visible.addAll(posted);
        posted.clear();
        if (state == QpState.ERROR) {
            flush();
        }
    }

    @Override
    public void moveToError() {
        check();
        state = QpState.ERROR;
        flush();
        while (!receives.isEmpty()) {
            cq(spec).add(receives.remove().id, Status.WORK_REQUEST_FLUSHED, Opcode.RECEIVE, 0, number);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            device.closed("queue-pairs");
        }
    }

    private void post(Work work) throws RdmaException {
        admit();
        if (outstanding == spec.maxSendWorkRequests()) {
            throw new RdmaException("the send queue is full");
        }
        outstanding++;
        posted.add(work);
    }

    private void admit() throws RdmaException {
        check();
        if (postsUntilRefusal == 0) {
            postsUntilRefusal = -1;
            throw new RdmaException("refused by the test");
        }
        if (postsUntilRefusal > 0) {
            postsUntilRefusal--;
        }
    }

    private void flush() {
        while (!visible.isEmpty()) {
            complete(visible.remove(), Status.WORK_REQUEST_FLUSHED);
        }
    }

    private void complete(Work work, Status status) {
        outstanding -= unsignalled + 1;
        unsignalled = 0;
        ((FakeCompletionQueue) spec.sendQueue()).add(work.id, status, work.opcode, 0, number);
    }

    private Status execute(Work work) {
        if (work.length == 0) {
            return Status.SUCCESS;
        }
        Optional<MemorySegment> local = device.local(work.address, work.length, work.lkey);
        if (local.isEmpty()) {
            return Status.LOCAL_PROTECTION_ERROR;
        }
        return switch (work.opcode) {
            case SEND -> {
                sent.add(new Sent(local.get().toArray(ValueLayout.JAVA_BYTE), (work.flags & SOLICITED) != 0));
                yield Status.SUCCESS;
            }
            case RDMA_WRITE -> remote.write(local.get(), work.remoteAddress, work.rkey);
            case RDMA_READ -> remote.read(local.get(), work.remoteAddress, work.rkey);
            case RECEIVE -> throw new AssertionError("a receive in the send queue");
        };
    }

    private static FakeCompletionQueue cq(QueuePairSpec spec) {
        return (FakeCompletionQueue) spec.receiveQueue();
    }

    private void check() {
        if (closed) {
            throw new AssertionError("queue pair " + number + " was closed");
        }
    }
}
