package io.jsrpt.channel;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.scsi.ScsiTask;
import io.jsrpt.srp.BufferDescriptors;
import io.jsrpt.srp.SrpResponse;
import java.lang.foreign.MemorySegment;

/**
 * Posts RDMA and responses, first come, first served, as far as the send queue has slots. A request that needs more
 * slots than there are goes in rounds; the last work request of each round is signalled, so that its slots come back.
 * Owner only.
 *
 * <p>A read's RDMA WRITEs are posted before its SEND, and only the SEND is signalled: a reliable connection executes
 * them in order, so the response cannot overtake the data. Each work request has one scatter-gather entry, so a
 * device's limits for RDMA READs cannot be met (report 18).
 */
final class Transfers {
    private static final int MAX_SENSE_BYTES = 252;

    private final ChannelParts parts;
    private final SendQueue sendQueue;
    private final IoQueue waiting = new IoQueue();
    private final SrpResponse response = new SrpResponse();
    private final MemorySegment sense = MemorySegment.ofArray(new byte[MAX_SENSE_BYTES]);
    private final int responseCapacity;
    private final long maxMessageBytes;

    Transfers(ChannelParts parts, long maxMessageBytes) {
        this.parts = parts;
        this.maxMessageBytes = maxMessageBytes;
        sendQueue = parts.sendQueue();
        responseCapacity = Math.min(parts.settings().maxResponseBytes(), parts.agreed().maxTargetToInitiatorBytes());
    }

    /** Posts what {@link IoContext#transfer} says, when the context's turn comes. */
    void submit(IoContext context) {
        waiting.add(context);
    }

    /** Posts what there is room for; true when a context has all its work posted. */
    boolean pump() {
        boolean progress = false;
        while (!waiting.isEmpty() && parts.condition().isServing()) {
            IoContext context = waiting.first();
            try {
                if (!post(context)) {
                    return progress;
                }
            } catch (RdmaException e) {
                parts.condition().fail("cannot post: " + e.getMessage());
                return progress;
            }
            waiting.remove(context);
            progress = true;
        }
        return progress;
    }

    private boolean post(IoContext context) throws RdmaException {
        return switch (context.transfer) {
            case TABLE -> postTable(context);
            case READ -> postPieces(context);
            case WRITE -> postPieces(context) && postResponse(context);
            case RESPONSE -> postResponse(context);
        };
    }

    private boolean postTable(IoContext context) throws RdmaException {
        if (sendQueue.free() == 0) {
            return false;
        }
        BufferDescriptors owner = context.tableOwner();
        context.lastSequence = sendQueue.read(context.index, parts.pool().address(context.run), owner.tableLength(),
                owner.tableAddress(), owner.tableRkey(), true);
        return true;
    }

    /** One round, or all of it; false when pieces are left for another. */
    private boolean postPieces(IoContext context) throws RdmaException {
        if (context.moved == context.toMove) {
            return true;
        }
        BufferDescriptors buffer = context.buffer();
        // A round of one or two slots would cost a completion for each: wait until it is worth it.
        int free = sendQueue.free();
        if (free < Math.min(buffer.count() - context.piece, Math.max(1, sendQueue.depth() / 4))) {
            return false;
        }
        for (; free > 0 && context.moved < context.toMove; free--) {
            postPiece(context, buffer, free == 1);
        }
        return context.moved == context.toMove;
    }

    private void postPiece(IoContext context, BufferDescriptors buffer, boolean endsRound) throws RdmaException {
        long left = Math.min(buffer.length(context.piece) - context.pieceOffset, context.toMove - context.moved);
        int bytes = (int) Math.min(left, maxMessageBytes);
        long local = parts.pool().address(context.run) + context.moved;
        long remote = buffer.address(context.piece) + context.pieceOffset;
        int rkey = buffer.rkey(context.piece);
        if (context.transfer == IoContext.Transfer.READ) {
            boolean last = endsRound || context.moved + bytes == context.toMove;
            context.lastSequence = sendQueue.read(context.index, local, bytes, remote, rkey, last);
            parts.counters().bytesOut += bytes;
        } else {
            context.lastSequence = sendQueue.write(context.index, local, bytes, remote, rkey, endsRound);
            parts.counters().bytesIn += bytes;
        }
        context.moved += bytes;
        context.pieceOffset += bytes;
        if (context.pieceOffset == buffer.length(context.piece)) {
            context.piece++;
            context.pieceOffset = 0;
        }
    }

    private boolean postResponse(IoContext context) throws RdmaException {
        if (sendQueue.free() == 0) {
            return false;
        }
        int delta = parts.credits().takeForResponse();
        long offset = parts.memory().responseOffset(context.index);
        response.wrap(parts.memory().memory(), offset, responseCapacity);
        boolean management = context.state() == IoState.MGMT;
        if (management) {
            response.taskManagement(context.tag, delta, context.responseCode);
        } else {
            encode(context, delta);
        }
        if (context.solicited) {
            response.solicited();
        }
        try {
            context.lastSequence = sendQueue.send(SendQueue.RESPONSE, context.index, parts.memory().address(offset),
                    response.length(), context.solicited);
        } catch (RdmaException e) {
            parts.credits().undoResponse(delta);
            throw e;
        }
        context.moveTo(management ? IoState.MGMT_RSP_SENT : IoState.CMD_RSP_SENT);
        parts.counters().responses++;
        return true;
    }

    private void encode(IoContext context, int delta) {
        ScsiTask task = context.task;
        long in = task.dataInResidual();
        long out = task.dataOutResidual();
        response.command(context.tag, delta, task.status())
                .dataOut(Math.max(0, -out), Math.max(0, out))
                .dataIn(Math.max(0, -in), Math.max(0, in));
        if (task.senseLength() > 0) {
            task.copySense(sense, 0);
            response.sense(sense, 0, task.senseLength());
        }
    }
}
