package io.jsrpt.channel;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.scsi.DeviceServer;
import io.jsrpt.scsi.ScsiTask;
import io.jsrpt.scsi.TaskAttribute;
import io.jsrpt.srp.BufferDescriptors;
import io.jsrpt.srp.DataDescriptors;
import io.jsrpt.srp.SrpCommand;
import io.jsrpt.srp.TargetLogout;
import io.jsrpt.srp.UnitProblem;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;

/**
 * The way of a command through the data path: descriptors, buffer, data, store, response ({@code srpt_handle_cmd} to
 * {@code srpt_release_cmd}). Each step ends by handing the context to one of: the queue for a buffer, the send queue,
 * the store. Owner only.
 */
final class CommandFlow {
    private final ChannelParts parts;
    private final Transfers transfers;
    private final DeviceServer server;
    private final IntConsumer ended;
    private final IntConsumer leftStore;
    private final SrpCommand command = new SrpCommand();
    private final IoQueue waitingForBuffer = new IoQueue();

    /**
     * The flow of one channel.
     *
     * @param ended told the index of each context whose request has ended: nothing works for it any more
     * @param leftStore told the index of each context whose request the store has done
     */
    CommandFlow(ChannelParts parts, Transfers transfers, IntConsumer ended, IntConsumer leftStore) {
        this.parts = parts;
        this.transfers = transfers;
        this.ended = ended;
        this.leftStore = leftStore;
        server = parts.server();
    }

    /** Takes up a received SRP_CMD; an I/O context must be free. */
    void start(int slot, int length) {
        wrap(slot, length);
        UnitProblem problem = command.validate();
        if (problem == UnitProblem.TOO_SHORT) {
            parts.condition().protocolError("an SRP_CMD of " + length + " bytes is too short", TargetLogout.NO_REASON);
            return;
        }
        parts.counters().commands++;
        IoContext context = parts.contexts().take(IoState.NEW);
        context.tag = command.tag();
        context.lun = command.lun();
        context.solicited = command.solicitedResponse();
        context.receive = slot;
        context.unitLength = length;
        context.phase = ScsiTask.Phase.COMPLETE;
        if (problem == UnitProblem.NONE && DataDescriptors.bidirectional(command)) {
            problem = UnitProblem.UNKNOWN_BUFFER_FORMAT;
        }
        if (problem == UnitProblem.NONE) {
            problem = context.descriptors.parse(command, parts.agreed().immediateDataOffset());
        }
        if (problem != UnitProblem.NONE) {
            refuse(context, 0, 0);
        } else if (context.tableOwner().tableNeeded()) {
            wantBuffer(context, context.tableOwner().tableLength());
        } else {
            begin(context);
        }
    }

    /** Gives buffers to those that wait for one, in order; true when one got its buffer. */
    boolean pump() {
        boolean progress = false;
        while (!waitingForBuffer.isEmpty() && parts.condition().isServing()) {
            IoContext context = waitingForBuffer.first();
            int run = parts.pool().take(context.runUnits);
            if (run == IoContext.NONE) {
                return progress;
            }
            context.run = run;
            waitingForBuffer.remove(context);
            bufferHere(context);
            progress = true;
        }
        return progress;
    }

    /**
     * The last RDMA READ or WRITE that was posted for a context has ended well. On a channel that serves no more, the
     * data of a write go no further: what comes after the session's end must not be overwritten by it.
     */
    void transferDone(IoContext context) {
        if (context.aborted || !parts.condition().isServing()) {
            end(context);
        } else if (context.transfer == IoContext.Transfer.TABLE) {
            tableHere(context);
        } else if (context.transfer == IoContext.Transfer.READ && context.moved == context.toMove) {
            context.moveTo(IoState.DATA_IN);
            execute(context, buffer(context));
        }
    }

    /** The SEND of a context's response has ended. */
    void responseSent(IoContext context) {
        releaseRun(context);
        parts.contexts().give(context);
        ended.accept(context.index);
    }

    /** The store has ended its part. */
    void storeDone(IoContext context) {
        parts.handover().settled();
        context.inStore = false;
        leftStore.accept(context.index);
        if (context.task.failure().isPresent()) {
            parts.events().storeFailed(context.lun, context.task.failure().get());
        }
        if (context.aborted || !parts.condition().isServing()) {
            end(context);
        } else {
            respond(context);
        }
    }

    /**
     * Aborts a command; it ends without a response, once neither the queue pair nor the store works for it.
     *
     * @return whether it was under way still: not answered yet
     */
    boolean abort(IoContext context) {
        if (!context.isOpenCommand()) {
            return false;
        }
        context.aborted = true;
        if (context.queue != null) {
            context.queue.remove(context);
        }
        if (!context.inStore && parts.sendQueue().isDone(context.lastSequence)) {
            end(context);
        }
        return true;
    }

    /** Ends a request without a response: its credit goes with the next one. */
    void end(IoContext context) {
        if (context.queue != null) {
            context.queue.remove(context);
        }
        releaseRun(context);
        releaseReceive(context);
        parts.credits().unanswered();
        parts.contexts().give(context);
        parts.counters().aborted++;
        ended.accept(context.index);
    }

    private void wrap(int slot, int length) {
        command.wrap(parts.memory().memory(), parts.memory().receiveOffset(slot), length);
    }

    private void refuse(IoContext context, long dataInRoom, long dataOutLength) {
        parts.counters().refused++;
        context.phase = ScsiTask.Phase.COMPLETE;
        server.refuse(context.task, parts.nexus(), dataInRoom, dataOutLength);
        respond(context);
    }

    private void begin(IoContext context) {
        long room = context.descriptors.in().total();
        BufferDescriptors out = context.descriptors.out();
        context.phase = server.begin(context.task, parts.nexus(), context.lun, command.memory(), command.cdbOffset(),
                command.cdbLength(), attribute(command.taskAttribute()), room, out.total());
        if (context.phase == ScsiTask.Phase.DATA_OUT && out.isImmediate()) {
            context.moveTo(IoState.DATA_IN);
            parts.counters().bytesOut += context.task.bufferLength();
            execute(context, parts.memory().memory().asSlice(
                    parts.memory().receiveOffset(context.receive) + out.immediateOffset(),
                    context.task.bufferLength()));
            return;
        }
        releaseReceive(context);
        if (context.task.bufferLength() > parts.settings().maxTransferBytes()) {
            refuse(context, room, out.total());
            return;
        }
        switch (context.phase) {
            case COMPLETE -> respond(context);
            case NO_DATA -> execute(context, MemorySegment.NULL);
            case DATA_IN, DATA_OUT -> wantBuffer(context, context.task.bufferLength());
        }
    }

    private static TaskAttribute attribute(int code) {
        return switch (code) {
            case SrpCommand.SIMPLE -> TaskAttribute.SIMPLE;
            case SrpCommand.HEAD_OF_QUEUE -> TaskAttribute.HEAD_OF_QUEUE;
            case SrpCommand.ACA -> TaskAttribute.ACA;
            default -> TaskAttribute.ORDERED;
        };
    }

    /** While it waits the command holds no other buffer, so that the oldest always gets its own in the end. */
    private void wantBuffer(IoContext context, int bytes) {
        context.runUnits = DataBufferPool.unitsFor(bytes);
        waitingForBuffer.add(context);
    }

    private void bufferHere(IoContext context) {
        if (context.tableOwner().tableNeeded()) {
            context.move(IoContext.Transfer.TABLE, 0);
            transfers.submit(context);
        } else if (context.phase == ScsiTask.Phase.DATA_OUT) {
            context.moveTo(IoState.NEED_DATA);
            context.move(IoContext.Transfer.READ, context.task.bufferLength());
            transfers.submit(context);
        } else {
            execute(context, buffer(context));
        }
    }

    private void tableHere(IoContext context) {
        BufferDescriptors owner = context.tableOwner();
        int bytes = owner.tableLength();
        UnitProblem problem = owner.completeFromTable(parts.pool().slice(context.run, bytes), 0, bytes);
        releaseRun(context);
        if (problem == UnitProblem.NONE) {
            wrap(context.receive, context.unitLength);
            begin(context);
        } else {
            refuse(context, 0, 0);
        }
    }

    private MemorySegment buffer(IoContext context) {
        return parts.pool().slice(context.run, context.task.bufferLength());
    }

    private void execute(IoContext context, MemorySegment memory) {
        parts.handover().begun();
        context.inStore = true;
        if (context.execute(server, memory)) {
            storeDone(context);
        }
    }

    /** The receive is posted before the response, so that its credit is worth something when it arrives. */
    private void respond(IoContext context) {
        releaseReceive(context);
        if (context.phase == ScsiTask.Phase.DATA_IN && context.task.dataInLength() > 0) {
            context.move(IoContext.Transfer.WRITE, context.task.dataInLength());
        } else {
            releaseRun(context);
            context.transfer = IoContext.Transfer.RESPONSE;
        }
        transfers.submit(context);
    }

    private void releaseRun(IoContext context) {
        if (context.run != IoContext.NONE) {
            parts.pool().give(context.run, context.runUnits);
            context.run = IoContext.NONE;
        }
    }

    /** Posts the receive buffer again that a context holds, if it holds one. */
    void releaseReceive(IoContext context) {
        if (context.receive == IoContext.NONE) {
            return;
        }
        int slot = context.receive;
        context.receive = IoContext.NONE;
        if (parts.condition().isServing()) {
            try {
                parts.receives().post(slot);
            } catch (RdmaException e) {
                parts.condition().fail("cannot post a receive: " + e.getMessage());
            }
        }
    }
}
