package io.jsrpt.testing.rdma;

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
import java.util.List;
import java.util.Optional;

/** A queue pair; work completes when the test says so, but for what is flushed. */
public final class SimQueuePair implements QueuePair {
    private final SimDevice device;
    private final QueuePairSpec spec;
    private final SimDomain domain;
    private final SimCompletionQueue sendQueue;
    private final SimCompletionQueue receiveQueue;
    private final int number;
    private final Ledger.Entry entry;
    private final ArrayDeque<Work> posted = new ArrayDeque<>();
    private final ArrayDeque<Work> sends = new ArrayDeque<>();
    private final ArrayDeque<Work> receives = new ArrayDeque<>();
    private final List<byte[]> handedOver = new ArrayList<>();
    private final List<byte[]> sent = new ArrayList<>();
    private QpState state = QpState.INIT;
    private boolean connected;

    SimQueuePair(SimId id, QueuePairSpec spec) {
        this.device = id.simDevice();
        this.spec = spec;
        this.domain = (SimDomain) spec.pd();
        this.sendQueue = (SimCompletionQueue) spec.sendQueue();
        this.receiveQueue = (SimCompletionQueue) spec.receiveQueue();
        this.number = (int) device.service().nextNumber();
        this.entry = device.ledger().opened("queue pair " + number);
        domain.queuePairOpened();
        sendQueue.queuePairOpened();
    }

    private record Work(Opcode opcode, long id, long address, int length, int lkey, boolean signaled) {}

    // The peer's side.

    /** The units that were sent and have completed, in order. */
    public List<byte[]> sent() {
        synchronized (device.ledger()) {
            return List.copyOf(sent);
        }
    }

    /** The units that were handed over while the queue pair worked, whether or not they have completed, in order. */
    public List<byte[]> handedOver() {
        synchronized (device.ledger()) {
            return List.copyOf(handedOver);
        }
    }

    /** The work requests that were handed over and have not completed. */
    public int outstandingSends() {
        synchronized (device.ledger()) {
            return sends.size();
        }
    }

    /** The receives that are posted. */
    public int postedReceives() {
        synchronized (device.ledger()) {
            return receives.size();
        }
    }

    /** A unit arrives; false when there is no receive for it, or no connection. */
    public boolean arrive(byte[] unit) {
        synchronized (device.ledger()) {
            if (entry.gone() || state == QpState.ERROR || receives.isEmpty()) {
                return false;
            }
            Work work = receives.poll();
            Optional<MemorySegment> into = memory(work, work.length);
            into.ifPresent(m -> MemorySegment.copy(MemorySegment.ofArray(unit), 0, m, 0, unit.length));
            receiveQueue.add(work.id, Status.SUCCESS, Opcode.RECEIVE, unit.length, number);
            return true;
        }
    }

    /** The oldest work request of the send queue is done; false when there is none. */
    public boolean completeSend() {
        synchronized (device.ledger()) {
            if (entry.gone() || sends.isEmpty()) {
                return false;
            }
            Work work = sends.poll();
            Optional<MemorySegment> memory = memory(work, work.length);
            if (work.opcode == Opcode.SEND && memory.isPresent()) {
                sent.add(memory.get().toArray(ValueLayout.JAVA_BYTE));
            }
            if (work.signaled) {
                sendQueue.add(work.id, Status.SUCCESS, work.opcode, work.length, number);
            }
            return true;
        }
    }

    /** The oldest work request of the send queue fails, or if there is none the queue pair just goes to error. */
    public void fail(Status status) {
        synchronized (device.ledger()) {
            if (entry.gone() || state == QpState.ERROR) {
                return;
            }
            Work work = sends.poll();
            if (work != null) {
                sendQueue.add(work.id, status, work.opcode, 0, number);
            }
            toError();
        }
    }

    private Optional<MemorySegment> memory(Work work, int length) {
        Optional<MemorySegment> memory = domain.find(work.lkey, work.address, length);
        if (memory.isEmpty() && length != 0) {
            device.ledger().violation(entry.name() + ": work on memory that is not registered");
        }
        return memory;
    }

    void connected() {
        if (state == QpState.INIT) {
            state = QpState.RTS;
        }
        connected = true;
    }

    boolean isConnected() {
        return connected && !entry.gone();
    }

    boolean isOpen() {
        return !entry.gone();
    }

    void toError() {
        state = QpState.ERROR;
        flush(sends, sendQueue);
        flush(receives, receiveQueue);
    }

    private void flush(ArrayDeque<Work> queue, SimCompletionQueue into) {
        while (!queue.isEmpty()) {
            Work work = queue.poll();
            into.add(work.id, Status.WORK_REQUEST_FLUSHED, work.opcode, 0, number);
        }
    }

    // This side.

    @Override
    public int number() {
        return number;
    }

    @Override
    public QpState state() {
        synchronized (device.ledger()) {
            return state;
        }
    }

    @Override
    public void postReceive(long id, long address, int length, int lkey) throws RdmaException {
        synchronized (device.ledger()) {
            entry.used("postReceive");
            device.faults().crash("post a receive");
            device.faults().refuse("post a receive");
            if (receives.size() == spec.maxReceiveWorkRequests()) {
                throw new RdmaException("the receive queue is full");
            }
            posted.add(new Work(Opcode.RECEIVE, id, address, length, lkey, true));
        }
    }

    @Override
    public void postSend(long id, long address, int length, int lkey, int flags) throws RdmaException {
        post(new Work(Opcode.SEND, id, address, length, lkey, (flags & SIGNALED) != 0));
    }

    @Override
    public void postRdmaWrite(
            long id, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        post(new Work(Opcode.RDMA_WRITE, id, address, length, lkey, (flags & SIGNALED) != 0));
    }

    @Override
    public void postRdmaRead(long id, long address, int length, int lkey, long remoteAddress, int rkey, int flags)
            throws RdmaException {
        post(new Work(Opcode.RDMA_READ, id, address, length, lkey, (flags & SIGNALED) != 0));
    }

    private void post(Work work) throws RdmaException {
        synchronized (device.ledger()) {
            entry.used("post");
            device.faults().crash("post to the send queue");
            device.faults().refuse("post to the send queue");
            if (!connected) {
                throw new RdmaException("the queue pair never was connected");
            }
            if (sends.size() + posted.size() >= spec.maxSendWorkRequests() + spec.maxReceiveWorkRequests()) {
                throw new RdmaException("the send queue is full");
            }
            posted.add(work);
        }
    }

    @Override
    public void ringDoorbell() {
        synchronized (device.ledger()) {
            entry.used("ringDoorbell");
            while (!posted.isEmpty()) {
                Work work = posted.poll();
                Optional<MemorySegment> memory = memory(work, work.length);
                if (work.opcode == Opcode.SEND && state != QpState.ERROR && memory.isPresent()) {
                    handedOver.add(memory.get().toArray(ValueLayout.JAVA_BYTE));
                }
                (work.opcode == Opcode.RECEIVE ? receives : sends).add(work);
            }
            if (state == QpState.ERROR) {
                toError();
            }
        }
    }

    @Override
    public void moveToError() {
        synchronized (device.ledger()) {
            entry.used("moveToError");
            toError();
        }
    }

    @Override
    public void close() {
        synchronized (device.ledger()) {
            if (entry.destroyed(true)) {
                domain.queuePairClosed();
                sendQueue.queuePairClosed();
            }
        }
    }
}
