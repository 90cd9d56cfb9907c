package io.jsrpt.channel;

import io.jsrpt.scsi.DeviceServer;
import io.jsrpt.scsi.ScsiTask;
import io.jsrpt.scsi.TaskCompletion;
import io.jsrpt.srp.BufferDescriptors;
import io.jsrpt.srp.DataDescriptors;
import java.lang.foreign.MemorySegment;

/**
 * The I/O context of one request ({@code srpt_send_ioctx}), used again and again. Owner only, but for {@link #taskDone}
 * and the link that it sets.
 */
final class IoContext implements TaskCompletion {
    /** No receive buffer, no run of the data pool, no work request. */
    static final int NONE = -1;

    /** What is posted for the context next. */
    enum Transfer {
        /** An RDMA READ of the descriptor table. */
        TABLE,
        /** RDMA READs of the data-out buffer. */
        READ,
        /** RDMA WRITEs into the data-in buffer, then the response. */
        WRITE,
        /** The response alone. */
        RESPONSE
    }

    final int index;
    final ScsiTask task = new ScsiTask();
    final DataDescriptors descriptors;

    long tag;
    long lun;
    boolean solicited;
    /** An abort took effect: there will be no response. */
    boolean aborted;
    /** The store has it. */
    boolean inStore;
    /** The response code of a task management function. */
    int responseCode;

    /** The receive buffer that is held, for immediate data or until the table is here, and the unit's length. */
    int receive;
    int unitLength;

    /** The run of the data pool that is held, or wanted. */
    int run;
    int runUnits;

    /** What the device server wants for the command. */
    ScsiTask.Phase phase = ScsiTask.Phase.COMPLETE;

    Transfer transfer = Transfer.RESPONSE;
    /** Bytes to move, bytes posted, and the place of the next byte in the initiator's descriptors. */
    int toMove;
    int moved;
    int piece;
    long pieceOffset;
    /** The send-queue sequence number of the last work request, which is signalled. */
    long lastSequence;

    /** Links of {@link IoQueue} and {@link StoreHandover}. */
    IoQueue queue;
    IoContext previous;
    IoContext next;
    IoContext nextEnded;

    private final StoreHandover handover;
    private IoState state = IoState.DONE;
    /**
     * The thread that is inside {@code execute} for this context. Others may read it: a thread finds itself here only
     * when it is that thread, since what it wrote last was its leaving.
     */
    private Thread executing;
    private boolean endedInline;

    IoContext(int index, int maxDescriptors, StoreHandover handover) {
        this.index = index;
        this.handover = handover;
        descriptors = new DataDescriptors(maxDescriptors);
    }

    /** Takes a new request. */
    void begin(IoState first) {
        moveTo(first);
        aborted = false;
        inStore = false;
        responseCode = 0;
        receive = NONE;
        run = NONE;
        runUnits = 0;
        lastSequence = NONE;
        transfer = Transfer.RESPONSE;
    }

    IoState state() {
        return state;
    }

    /** The only way that the state changes. */
    void moveTo(IoState to) {
        if (!state.leadsTo(to)) {
            throw new IllegalStateException(this + " cannot become " + to);
        }
        state = to;
    }

    /** Whether it is a command that has no response yet. */
    boolean isOpenCommand() {
        return switch (state) {
            case NEW, NEED_DATA, DATA_IN -> true;
            case MGMT, CMD_RSP_SENT, MGMT_RSP_SENT, DONE -> false;
        };
    }

    /** Prepares to move so many bytes between a run of the pool and the initiator's buffer. */
    void move(Transfer what, int bytes) {
        transfer = what;
        toMove = bytes;
        moved = 0;
        piece = 0;
        pieceOffset = 0;
    }

    /** The data buffer that has to do with {@link #transfer}. */
    BufferDescriptors buffer() {
        return transfer == Transfer.READ ? descriptors.out() : descriptors.in();
    }

    /** The buffer whose table is in the initiator's memory. */
    BufferDescriptors tableOwner() {
        return descriptors.out().tableNeeded() ? descriptors.out() : descriptors.in();
    }

    /** Runs the store's part; true when it ended at once, else it comes through the hand-over. */
    boolean execute(DeviceServer server, MemorySegment memory) {
        endedInline = false;
        executing = Thread.currentThread();
        try {
            server.execute(task, memory, this);
        } finally {
            executing = null;
        }
        return endedInline;
    }

    @Override
    public void taskDone(ScsiTask ended) {
        if (executing == Thread.currentThread()) {
            endedInline = true;
        } else {
            handover.push(this);
        }
    }

    @Override
    public String toString() {
        return "I/O context " + index + " in " + state;
    }
}
