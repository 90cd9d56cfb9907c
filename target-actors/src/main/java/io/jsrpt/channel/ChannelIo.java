package io.jsrpt.channel;

import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.DeviceAttributes;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.scsi.DeviceServer;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.srp.BufferFormats;
import io.jsrpt.srp.CreditResponse;
import io.jsrpt.srp.InitiatorLogout;
import io.jsrpt.srp.SrpOpcode;
import io.jsrpt.srp.TargetLogout;
import io.jsrpt.srp.UnitProblem;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The data path of one channel: its queue pair, completion queue, memory and I/O contexts, and what becomes of each
 * unit that arrives. All methods are called by the owner only, one call at a time.
 *
 * <p>Life: {@link #open}, {@link #live}, {@link #poll} whenever {@link ChannelEvents#wakeUp} asks for it,
 * {@link #beginDrain}, {@code poll} until {@link #drained}, {@link #close}. An owner that cannot wait uses
 * {@link #abandon} at any time instead.
 */
public final class ChannelIo implements AutoCloseable {
    /** Receives beyond the credits: the initiator's answers to units of the target cost it none. */
    private static final int SPARE_RECEIVES = 2;

    /** Completions a call of poll takes at most, so that the owner gets to its other messages. */
    private static final int POLL_BUDGET = 1024;

    private final ChannelParts parts;
    private final QueuePair queuePair;
    private final CompletionQueue completionQueue;
    private final Transfers transfers;
    private final CommandFlow commands;
    private final TaskManagementFlow taskManagement;
    private final ControlUnits control;
    private final WaitingUnits waiting;
    private final WorkCompletion completion = new WorkCompletion();
    private boolean polling;
    private boolean flushed;
    private boolean closed;

    private ChannelIo(
            ChannelParts parts, QueuePair queuePair, CompletionQueue completionQueue, DeviceAttributes device) {
        this.parts = parts;
        this.queuePair = queuePair;
        this.completionQueue = completionQueue;
        transfers = new Transfers(parts, Math.min(device.maxMessageBytes(), Integer.MAX_VALUE));
        commands = new CommandFlow(parts, transfers, this::ended, this::leftStore);
        taskManagement = new TaskManagementFlow(parts, transfers, commands);
        control = new ControlUnits(parts);
        waiting = new WaitingUnits(parts.receives().size());
    }

    /**
     * Creates the channel's resources and posts its receives; the connection can be accepted then. When that fails,
     * everything is undone.
     *
     * @param id the connection, which the caller owns; its queue pair is created here and closed by {@link #close}
     * @param pd the device's protection domain
     * @param server what the session sees
     * @param nexus the session's I_T nexus
     * @param events told what concerns the owner
     * @throws RdmaException when the device has no room
     */
    public static ChannelIo open(CmId id, ProtectionDomain pd, ChannelSettings settings, AgreedLogin agreed,
            DeviceServer server, Nexus nexus, ChannelEvents events) throws RdmaException {
        DeviceAttributes device = id.device().attributes();
        int receives = Math.min(
                settings.requestQueueSize() + SPARE_RECEIVES, device.maxQueuePairWorkRequests());
        int sends = Math.min(
                settings.sendQueueSize() + SendQueue.RESERVED, device.maxQueuePairWorkRequests());
        int credits = receives - SPARE_RECEIVES;
        if (credits < 1 || sends <= SendQueue.RESERVED) {
            throw new RdmaException("a queue of " + device.maxQueuePairWorkRequests() + " work requests is too small");
        }
        StoreHandover handover = new StoreHandover(events::wakeUp);
        try (Undo undo = new Undo()) {
            ChannelMemory memory =
                    undo.later(new ChannelMemory(pd, settings, receives, credits, agreed.immediateDataOffset()));
            CompletionQueue cq =
                    undo.later(id.device().createCompletionQueue(receives + sends, handover::signal));
            QueuePair qp = undo.later(
                    id.createQueuePair(new QueuePairSpec(pd, cq, cq, Optional.empty(), sends, receives)));
            ReceiveRing ring = new ReceiveRing(qp, memory, receives, settings.maxRequestBytes());
            ring.postAll();
            qp.ringDoorbell();
            ChannelParts parts = new ChannelParts(settings, agreed, server, nexus, events, memory,
                    new DataBufferPool(memory.pool()), ring,
                    new SendQueue(qp, sends - SendQueue.RESERVED, memory.lkey()),
                    new IoContexts(credits, ChannelSettings.MAX_TABLE_BYTES / BufferFormats.DESCRIPTOR_BYTES, handover),
                    new Credits(credits), handover, new Condition(), new ChannelCounters());
            ChannelIo channel = new ChannelIo(parts, qp, cq, device);
            cq.arm();
            undo.forget();
            return channel;
        }
    }

    /** The credits that the login response announces: as many as there are I/O contexts. */
    public int initialCredits() {
        return parts.credits().limit();
    }

    /**
     * The connection stands: units are served from now on, first those that came before. The caller polls afterwards.
     */
    public void live() {
        parts.condition().live();
    }

    /**
     * Does all that is to be done: takes completions and finished store operations, goes on with the requests, posts,
     * and hands the posts to the provider once.
     */
    public PollOutcome poll() {
        if (closed) {
            return PollOutcome.CONTINUE;
        }
        parts.handover().awake();
        polling = true;
        boolean more = collect();
        if (!more) {
            completionQueue.arm();
            more = collect();
        }
        polling = false;
        queuePair.ringDoorbell();
        if (more) {
            parts.handover().signal();
        }
        return parts.condition().takeOutcome();
    }

    /**
     * Aborts this channel's tasks of a logical unit, for a function that came through another channel.
     *
     * @param whenDone called once all of them have ended, at once or from within a later {@link #poll}; not called if
     *     the channel is abandoned before
     */
    public void abortTasks(LogicalUnit unit, Runnable whenDone) {
        taskManagement.abortTasks(unit, whenDone);
        goOn();
    }

    /** Whether this channel has commands of a logical unit that are not answered yet. */
    public boolean hasTasks(LogicalUnit unit) {
        return taskManagement.hasTasks(unit);
    }

    /**
     * Makes sure that what the unit's owner has published before holds for this channel's commands.
     *
     * @param abort whether this channel's commands of the unit are aborted too
     * @param whenDone called once no command that was checked against older reservations is in the store, at once or
     *     from within a later {@link #poll}; not called if the channel is abandoned before
     */
    public void fence(LogicalUnit unit, boolean abort, Runnable whenDone) {
        taskManagement.fence(unit, abort, whenDone);
        goOn();
    }

    /**
     * Answers a request of {@link ChannelEvents#taskManagement}. Without effect on a channel that drains.
     *
     * @param code for example {@link io.jsrpt.srp.TaskManagement#COMPLETE}
     * @throws IllegalStateException when it was answered before
     */
    public void completeTaskManagement(TaskManagementRequest request, int code) {
        taskManagement.complete(request, code);
        goOn();
    }

    /**
     * Sends SRP_T_LOGOUT, the first time that it is called, before a disconnect from this side. Best effort: on a
     * connection that is broken already it is not sent.
     *
     * @param reason for example {@link TargetLogout#NO_REASON}
     */
    public void sendTargetLogout(int reason) {
        try {
            control.logout(reason);
        } catch (RdmaException e) {
            parts.condition().fail("cannot post SRP_T_LOGOUT: " + e.getMessage());
        }
        queuePair.ringDoorbell();
    }

    /**
     * Serves no more: no request is begun or answered, and no write whose data are on their way goes to its store. What
     * the stores have already is still awaited, see {@link #storesWork}. Idempotent; {@link #beginDrain} follows.
     */
    public void stopServing() {
        parts.condition().quit();
    }

    /** Whether a store has an operation of this channel, which may still change what it holds. */
    public boolean storesWork() {
        return parts.handover().underWay() > 0;
    }

    /**
     * Probes the connection if nothing was heard of the initiator since the last call; when it is gone, a later
     * {@link #poll} says so, once the transport has run out of retries. Called now and then.
     */
    public void probe() {
        control.probe();
        queuePair.ringDoorbell();
    }

    /**
     * Begins the end: the queue pair goes to the error state, requests end without a response, and {@link #drained}
     * becomes true once no work of the queue pair and no store operation is left. Idempotent.
     */
    public void beginDrain() {
        if (parts.condition().isDraining() || closed) {
            return;
        }
        parts.condition().drain();
        waiting.clear();
        queuePair.moveToError();
        try {
            parts.sendQueue().postLast();
            queuePair.ringDoorbell();
        } catch (RdmaException neverConnected) {
            // Then nothing was ever sent, and there is nothing to wait for.
            sendQueueFlushed();
        }
    }

    /** Whether a drain has come to its end, so that {@link #close} can be called. */
    public boolean drained() {
        return flushed && parts.contexts().inUse() == 0;
    }

    /**
     * Closes the queue pair and the completion queue, and frees the memory. Idempotent.
     *
     * @throws IllegalStateException when the store still has an operation of this channel, see {@link #abandon}
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        int operations = parts.handover().underWay();
        if (operations > 0) {
            throw new IllegalStateException("the store still has " + operations + " operations of this channel");
        }
        closeQueues();
        parts.memory().close();
    }

    /**
     * Closes the queue pair and the completion queue and deregisters the memory at once, and frees the memory as soon
     * as the store has let go of it: at once, or on the thread that brings the last store operation. The owner's last
     * call; for one that stops without having drained. Without effect on a closed channel, but for {@code whenFreed}.
     *
     * @param whenFreed called after the memory was freed; must not block
     */
    public void abandon(Runnable whenFreed) {
        if (closed) {
            whenFreed.run();
            return;
        }
        closeQueues();
        parts.memory().deregister();
        parts.handover().abandon(() -> {
            parts.memory().close();
            whenFreed.run();
        });
    }

    /** What the channel has counted and holds. */
    public ChannelStatistics statistics() {
        ChannelCounters c = parts.counters();
        Credits credits = parts.credits();
        return new ChannelStatistics(c.commands, c.taskManagement, c.responses, c.aborted, c.refused, c.bytesIn,
                c.bytesOut, credits.overruns(), credits.held(), credits.underWay(), parts.contexts().inUse(),
                waiting.count(), parts.handover().underWay(), parts.pool().unitsTaken(),
                parts.receives().postedCount());
    }

    private void closeQueues() {
        closed = true;
        parts.condition().drain();
        queuePair.close();
        completionQueue.close();
    }

    private void ended(int index) {
        taskManagement.ended(index);
    }

    private void leftStore(int index) {
        taskManagement.leftStore(index);
    }

    /** After a call from outside of poll: what it made possible is done at once. */
    private void goOn() {
        if (!polling && !closed) {
            pump();
            queuePair.ringDoorbell();
        }
    }

    /** Takes what has ended and goes on with it; true when there may be more than the budget allows for. */
    private boolean collect() {
        int left = POLL_BUDGET;
        IoContext ended = parts.handover().takeEnded();
        while (ended != null) {
            IoContext following = ended.nextEnded;
            ended.nextEnded = null;
            commands.storeDone(ended);
            ended = following;
        }
        while (left > 0 && completionQueue.poll(completion)) {
            completed();
            left--;
        }
        pump();
        return left == 0;
    }

    /** Moves on whatever can move, until nothing can; no step calls the next, so the stack stays flat. */
    private void pump() {
        boolean progress;
        do {
            progress = serveWaiting();
            progress |= commands.pump();
            progress |= taskManagement.settle();
            progress |= transfers.pump();
        } while (progress);
        if (parts.condition().isLive()) {
            control.offerCredits();
        }
    }

    private void completed() {
        long id = completion.workRequestId();
        int index = SendQueue.index(id);
        boolean success = completion.status() == WorkCompletion.Status.SUCCESS;
        if (success) {
            control.heard();
        } else {
            failed();
        }
        if (SendQueue.kind(id) == SendQueue.RECEIVE) {
            parts.receives().completed(index);
            if (success && parts.condition().isServing()) {
                received(index, completion.byteLength());
            }
            return;
        }
        long sequence = parts.sendQueue().retire(id);
        switch (SendQueue.kind(id)) {
            case SendQueue.TRANSFER -> {
                IoContext context = parts.contexts().get(index);
                if (success && context.lastSequence == sequence && context.isOpenCommand()) {
                    commands.transferDone(context);
                }
            }
            case SendQueue.RESPONSE -> {
                if (!parts.condition().isDraining()) {
                    commands.responseSent(parts.contexts().get(index));
                }
            }
            case SendQueue.CONTROL -> control.sent(index);
            case SendQueue.PROBE -> control.probed();
            default -> sendQueueFlushed();
        }
    }

    /** One failure takes the queue pair to the error state; what is flushed after it is no news (report 30). */
    private void failed() {
        boolean flush = completion.status() == WorkCompletion.Status.WORK_REQUEST_FLUSHED;
        parts.condition().end(flush ? PollOutcome.FLUSHED : new PollOutcome.Failed(
                completion.opcode() + " ended with " + completion.status()));
    }

    /** The queue pair works for no one any more; only the store may. */
    private void sendQueueFlushed() {
        flushed = true;
        taskManagement.drop();
        for (int i = 0; i < parts.contexts().size(); i++) {
            IoContext context = parts.contexts().get(i);
            switch (context.state()) {
                case DONE -> { }
                case CMD_RSP_SENT, MGMT_RSP_SENT -> commands.responseSent(context);
                case NEW, NEED_DATA, DATA_IN, MGMT -> {
                    if (!context.inStore) {
                        commands.end(context);
                    }
                }
            }
        }
    }

    private void received(int slot, int length) {
        int opcode = SrpOpcode.of(parts.memory().memory(), parts.memory().receiveOffset(slot), length);
        if (opcode == SrpOpcode.CMD || opcode == SrpOpcode.TSK_MGMT || opcode == SrpOpcode.I_LOGOUT) {
            parts.credits().received();
        }
        // A unit is never taken ahead of one that waits (report 23).
        if (!waiting.isEmpty() || !canServe(opcode)) {
            waiting.add(slot, length);
        } else {
            serve(opcode, slot, length);
        }
    }

    private boolean serveWaiting() {
        boolean progress = false;
        while (!waiting.isEmpty() && parts.condition().isServing()) {
            int slot = waiting.firstSlot();
            int length = waiting.firstLength();
            int opcode = SrpOpcode.of(parts.memory().memory(), parts.memory().receiveOffset(slot), length);
            if (!canServe(opcode)) {
                return progress;
            }
            waiting.removeFirst();
            serve(opcode, slot, length);
            progress = true;
        }
        return progress;
    }

    private boolean canServe(int opcode) {
        boolean needsContext = opcode == SrpOpcode.CMD || opcode == SrpOpcode.TSK_MGMT;
        return parts.condition().isLive() && (!needsContext || parts.contexts().hasFree());
    }

    private void serve(int opcode, int slot, int length) {
        MemorySegment memory = parts.memory().memory();
        long offset = parts.memory().receiveOffset(slot);
        switch (opcode) {
            case SrpOpcode.CMD -> commands.start(slot, length);
            case SrpOpcode.TSK_MGMT -> taskManagement.start(slot, length);
            case SrpOpcode.I_LOGOUT -> {
                if (InitiatorLogout.validate(memory, offset, length) == UnitProblem.NONE) {
                    parts.condition().end(PollOutcome.LOGGED_OUT);
                } else {
                    unusable(opcode, length);
                }
            }
            case SrpOpcode.CRED_RSP -> {
                if (CreditResponse.validate(memory, offset, length) == UnitProblem.NONE && control.creditsTaken()) {
                    repost(slot);
                } else {
                    unusable(opcode, length);
                }
            }
            default -> unusable(opcode, length);
        }
    }

    private void unusable(int opcode, int length) {
        parts.condition().protocolError("a unit with opcode " + opcode + " and " + length + " bytes",
                TargetLogout.NO_REASON);
    }

    private void repost(int slot) {
        try {
            parts.receives().post(slot);
        } catch (RdmaException e) {
            parts.condition().fail("cannot post a receive: " + e.getMessage());
        }
    }
}
