package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.store.MediumErrorException;
import io.jsrpt.store.StoreAwayException;
import io.jsrpt.store.StoreBusyException;
import io.jsrpt.store.StoreCompletion;
import io.jsrpt.store.StoreFullException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * One SCSI command on its way through the device server. A transport has one for each of its I/O contexts and uses it
 * again and again: {@link DeviceServer#begin}, then, unless that answered {@link Phase#COMPLETE},
 * {@link DeviceServer#execute}, then the result is read. Nothing is allocated per command on the path of reads and
 * writes.
 *
 * <p>Threading: used by one thread at a time. From {@code execute} until the {@link TaskCompletion} is called the task
 * belongs to the device server; a completion that comes on a store's thread must pass it on safely (a message does).
 */
public final class ScsiTask {
    /** What a begun command needs next. */
    public enum Phase {
        /** Nothing: the status is there, no data moves. */
        COMPLETE,
        /** To be executed, without a buffer. */
        NO_DATA,
        /** To be executed with a buffer that the device server fills; then its valid part goes to the initiator. */
        DATA_IN,
        /** To be executed with a buffer that holds the first bytes of the initiator's data. */
        DATA_OUT
    }

    private static final byte[] NO_RESPONSE = new byte[0];

    final Cdb cdb = new Cdb();
    /** The unit that the LUN names; valid only where the command's row says so. */
    LogicalUnit unit;
    /** The state of the unit that the command was checked against. */
    UnitState state = UnitState.INITIAL;
    Command command;
    Addressee addressee;
    long lba;
    long blocks;
    /** The {@link WriteGate}'s note of where the task stands. */
    int gatePlace = WriteGate.outside();

    private final byte[] sense = new byte[SenseData.MAX_LENGTH];
    private final StoreCompletion transferDone = new TransferDone();
    private int senseLength;
    private int status;
    private Phase phase = Phase.COMPLETE;
    private boolean executing;
    private int bufferLength;
    private int dataInLength;
    private long dataInRoom;
    private long dataOutLength;
    private long dataInWanted;
    private long dataOutWanted;
    private long allocation;
    private byte[] response = NO_RESPONSE;
    private MemorySegment buffer = MemorySegment.NULL;
    private TaskCompletion completion = _ -> { };
    private Nexus nexus;
    private TaskAttribute attribute = TaskAttribute.SIMPLE;
    private Throwable failure;

    /** The status code, see {@link ScsiStatus}. */
    public int status() {
        return status;
    }

    /** How many bytes of sense data there are, 0 unless the status is CHECK CONDITION; at most 28. */
    public int senseLength() {
        return senseLength;
    }

    /** Copies the sense data to {@code target} from {@code offset}: {@link #senseLength} bytes. */
    public void copySense(MemorySegment target, long offset) {
        MemorySegment.copy(sense, 0, target, ValueLayout.JAVA_BYTE, offset, senseLength);
    }

    /** How many bytes of buffer {@link DeviceServer#execute} needs, exactly; 0 without data. */
    public int bufferLength() {
        return bufferLength;
    }

    /** How many bytes at the buffer's start are for the initiator. */
    public int dataInLength() {
        return dataInLength;
    }

    /**
     * The residual in the direction of the transfer, in bytes: what the initiator has room or data for, less what the
     * command transfers. Positive is an underflow, negative an overflow. A command without data has the residual of
     * whatever buffer came with it.
     */
    public long residual() {
        boolean noDataIn = dataInWanted == 0 && dataInRoom == 0;
        return dataOutWanted != 0 || noDataIn ? dataOutResidual() : dataInResidual();
    }

    /** The data-in buffer's residual, as in {@link #residual}; 0 when there is no such buffer and none was wanted. */
    public long dataInResidual() {
        return dataInRoom - dataInWanted;
    }

    /** The data-out buffer's residual, as in {@link #residual}; 0 when there is no such buffer and none was wanted. */
    public long dataOutResidual() {
        return dataOutLength - dataOutWanted;
    }

    /** Why the store failed, for the log, when it did; the initiator sees a medium error, or what the failure says. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * Whether the begun command is for the unit's owner, not for the store: it ends without touching blocks, and it is
     * not waited for when the owner makes sure that nobody else touches them.
     */
    public boolean byOwner() {
        return command.handler().byOwner();
    }

    /** The I_T nexus that the command came through. */
    Nexus nexus() {
        return nexus;
    }

    TaskAttribute attribute() {
        return attribute;
    }

    long dataInRoom() {
        return dataInRoom;
    }

    MemorySegment buffer() {
        return buffer;
    }

    /** Takes the unit attention that the command's nexus is to be told first. */
    Optional<UnitAttention> takeAttention() {
        Optional<UnitAttention> attention = state.take(nexus);
        if (attention.isPresent()) {
            unit.attentionTaken();
        }
        return attention;
    }

    /** Takes a new command; what the one before left is gone. */
    void start(Nexus from, TaskAttribute taskAttribute, long room, long outLength) {
        if (executing) {
            throw new IllegalStateException("the task is still executing");
        }
        nexus = from;
        attribute = taskAttribute;
        dataInRoom = Math.max(0, room);
        dataOutLength = Math.max(0, outLength);
        status = ScsiStatus.GOOD;
        senseLength = 0;
        bufferLength = 0;
        dataInLength = 0;
        dataInWanted = 0;
        dataOutWanted = 0;
        response = NO_RESPONSE;
        failure = null;
    }

    /** Remembers the phase that begin answers, and answers it. */
    Phase in(Phase begun) {
        phase = begun;
        return begun;
    }

    /** Ends the command with GOOD and without data. */
    Phase good() {
        return Phase.COMPLETE;
    }

    /** Ends the command with CHECK CONDITION. */
    Phase fail(SenseCondition condition) {
        return fail(condition, SenseData.NO_INFORMATION, SenseData.NO_SPECIFICS);
    }

    /** Ends the command with CHECK CONDITION and an INFORMATION field. */
    Phase failAt(SenseCondition condition, long information) {
        return fail(condition, information, SenseData.NO_SPECIFICS);
    }

    /** Ends the command with INVALID FIELD IN CDB, pointing at the field's first byte and leftmost bit. */
    Phase invalidField(int at, int bit) {
        return fail(SenseCondition.INVALID_FIELD_IN_CDB, SenseData.NO_INFORMATION, SenseData.fieldPointer(at, bit));
    }

    /** Ends the command with RESERVATION CONFLICT. */
    Phase conflict() {
        status = ScsiStatus.RESERVATION_CONFLICT;
        senseLength = 0;
        bufferLength = 0;
        dataInLength = 0;
        dataInWanted = 0;
        return Phase.COMPLETE;
    }

    private Phase fail(SenseCondition condition, long information, int specifics) {
        status = ScsiStatus.CHECK_CONDITION;
        boolean descriptor = addressee == Addressee.UNIT && unit.modes().descriptorSense();
        senseLength = descriptor
            ? SenseData.descriptor(sense, condition, information, specifics)
            : SenseData.fixed(sense, condition, information, specifics);
        bufferLength = 0;
        dataInLength = 0;
        dataInWanted = 0;
        return Phase.COMPLETE;
    }

    /**
     * Answers with parameter data. The rules of the ALLOCATION LENGTH field (SPC-4 4.2.5.6) are here and nowhere
     * else: data is cut to it without an error, and only what is left can leave a residual.
     */
    Phase respond(byte[] data, long allocationLength) {
        response = data;
        return dataIn(Math.min(data.length, allocationLength));
    }

    /**
     * Answers with parameter data that is not known yet, and comes with {@link #finishResponse(byte[])}.
     *
     * @param least how long it will be at least
     * @param most how long it can be
     */
    Phase respondLater(int least, int most, long allocationLength) {
        allocation = allocationLength;
        dataInWanted = Math.min(least, allocationLength);
        bufferLength = (int) Math.min(Math.min(most, allocationLength), dataInRoom);
        return bufferLength == 0 ? Phase.COMPLETE : Phase.DATA_IN;
    }

    /** The command gives {@code wanted} bytes to the initiator, of which as many move as there is room for. */
    Phase dataIn(long wanted) {
        dataInWanted = wanted;
        bufferLength = (int) Math.min(wanted, dataInRoom);
        return bufferLength == 0 ? Phase.COMPLETE : Phase.DATA_IN;
    }

    /** The command takes {@code wanted} bytes from the initiator, all or none. */
    Phase dataOut(long wanted) {
        dataOutWanted = wanted;
        if (dataOutLength < wanted) {
            return fail(SenseCondition.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        }
        bufferLength = (int) wanted;
        return bufferLength == 0 ? Phase.COMPLETE : Phase.DATA_OUT;
    }

    /** As above, and no more than that may come. */
    Phase dataOutExactly(long wanted) {
        return dataOutLength > wanted
            ? fail(SenseCondition.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT) : dataOut(wanted);
    }

    /** Enters execution. */
    void run(MemorySegment memory, TaskCompletion whenDone) {
        if (executing || phase == Phase.COMPLETE) {
            throw new IllegalStateException("the task has nothing to execute");
        }
        if (phase != Phase.NO_DATA && memory.byteSize() != bufferLength) {
            throw new IllegalArgumentException(
                "a buffer of " + memory.byteSize() + " bytes where " + bufferLength + " are needed");
        }
        buffer = memory;
        completion = whenDone;
        executing = true;
    }

    /** Hands over the parameter data of {@link #respond}. */
    void finishResponse() {
        MemorySegment.copy(response, 0, buffer, ValueLayout.JAVA_BYTE, 0, bufferLength);
        finish();
    }

    /** Hands over parameter data that {@link #respondLater} announced. */
    void finishResponse(byte[] data) {
        dataInWanted = Math.min(data.length, allocation);
        bufferLength = (int) Math.min(dataInWanted, bufferLength);
        MemorySegment.copy(data, 0, buffer, ValueLayout.JAVA_BYTE, 0, bufferLength);
        finish();
    }

    /** Ends an execution that went well. */
    void finish() {
        if (!executing) {
            throw new IllegalStateException("the store has answered twice");
        }
        if (phase == Phase.DATA_IN) {
            dataInLength = bufferLength;
        }
        leave();
    }

    /** Ends an execution whose store failed: with a medium error at the command's first block, unless it says other. */
    void finishFailed(SenseCondition condition, Throwable cause) {
        finishFailed(condition, lba, cause);
    }

    /** As above, with the block that the failed operation began with. */
    void finishFailed(SenseCondition condition, long at, Throwable cause) {
        if (!executing) {
            throw new IllegalStateException("the store has answered twice", cause);
        }
        failure = cause;
        unit.counters().failed(command.access().writes());
        switch (cause) {
            case StoreBusyException _ -> {
                fail(condition);
                status = ScsiStatus.BUSY;
                senseLength = 0;
            }
            case StoreAwayException _ -> fail(SenseCondition.NOT_READY_CAUSE_NOT_REPORTABLE);
            case StoreFullException _ -> fail(SenseCondition.SPACE_ALLOCATION_FAILED_WRITE_PROTECT);
            case MediumErrorException error -> failAt(condition, error.offset() / unit.blockSize());
            default -> failAt(condition, at);
        }
        leave();
    }

    /** Ends an execution with CHECK CONDITION. */
    void finishFailed(SenseCondition condition) {
        fail(condition);
        leave();
    }

    /** Ends an execution with CHECK CONDITION and an INFORMATION field. */
    void finishFailedAt(SenseCondition condition, long information) {
        failAt(condition, information);
        leave();
    }

    /** Ends an execution with RESERVATION CONFLICT. */
    void finishConflict() {
        conflict();
        leave();
    }

    /** Ends an execution with INVALID FIELD IN CDB, pointing at the field's first byte and leftmost bit. */
    void finishInvalidField(int at, int bit) {
        invalidField(at, bit);
        leave();
    }

    /** Ends an execution with INVALID FIELD IN PARAMETER LIST, pointing at the field's first byte and leftmost bit. */
    void finishInvalidParameter(int at, int bit) {
        fail(SenseCondition.INVALID_FIELD_IN_PARAMETER_LIST, SenseData.NO_INFORMATION,
            SenseData.parameterPointer(at, bit));
        leave();
    }

    /** Executes, after the gate has let it wait. */
    void executeAdmitted() {
        command.handler().execute(this);
    }

    /** The completion of a single store operation that is the whole command. */
    StoreCompletion transferDone() {
        return transferDone;
    }

    boolean executing() {
        return executing;
    }

    private void leave() {
        executing = false;
        phase = Phase.COMPLETE;
        buffer = MemorySegment.NULL;
        TaskCompletion whenDone = completion;
        if (gatePlace == WriteGate.outside()) {
            whenDone.taskDone(this);
            return;
        }
        WriteGate gate = unit.gate();
        gate.leave(this);
        // from here on the task may be in use again
        whenDone.taskDone(this);
        gate.runAdmitted();
    }

    private final class TransferDone implements StoreCompletion {
        @Override
        public void completed() {
            finish();
        }

        @Override
        public void failed(Throwable cause) {
            finishFailed(command.handler().failure(), cause);
        }
    }
}
