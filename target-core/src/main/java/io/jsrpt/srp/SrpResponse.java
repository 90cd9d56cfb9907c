package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/**
 * SRP_RSP (SRP r16a, table 22), a flyweight for both ends. The target begins with {@link #command} or
 * {@link #taskManagement} and adds what there is; {@link #length} then is what to send. Whatever is added, the lengths
 * in the unit agree with its bytes, and it is never longer than what the login allows.
 */
public final class SrpResponse {
    /** Bytes before the response data and the sense data. */
    public static final int FIXED_BYTES = 36;

    private static final int RESPONSE_DATA_BYTES = 4;
    private static final int RSPVALID = 0x01;
    private static final int SNSVALID = 0x02;
    private static final int DATA_OUT_OVER = 0x04;
    private static final int DATA_OUT_UNDER = 0x08;
    private static final int DATA_IN_OVER = 0x10;
    private static final int DATA_IN_UNDER = 0x20;
    private static final int SOLNT = 0x01;
    private static final int FLAGS = 18;
    private static final int STATUS = 19;
    private static final int DATA_OUT_RESIDUAL = 20;
    private static final int DATA_IN_RESIDUAL = 24;
    private static final int SENSE_LENGTH = 28;
    private static final int RESPONSE_DATA_LENGTH = 32;
    private static final long MAX_RESIDUAL = 0xffff_ffffL;

    private MemorySegment memory = MemorySegment.NULL;
    private long offset;
    private int length;
    private int capacity;

    /**
     * Looks at a unit.
     *
     * @param memory holds it
     * @param offset of its first byte
     * @param length receiver: its bytes; sender: the longest unit that the login allows, at least
     *     {@link LoginLimits#MIN_IU_LENGTH}
     */
    public SrpResponse wrap(MemorySegment memory, long offset, int length) {
        this.memory = memory;
        this.offset = offset;
        this.length = length;
        this.capacity = length;
        return this;
    }

    /**
     * Target: begins the response of a command, without residual and sense data.
     *
     * @param tag that of the command
     * @param requestLimitDelta the credits to give, this command's own among them
     * @param status SCSI status, 0 to 255
     */
    public SrpResponse command(long tag, int requestLimitDelta, int status) {
        begin(tag, requestLimitDelta);
        Wire.put8(memory, offset + STATUS, status);
        return this;
    }

    /**
     * Target: the response of a task management request. It always has the four bytes of response data, since Linux
     * takes a logical unit reset without them as failed.
     *
     * @param tag that of the request
     * @param requestLimitDelta the credits to give, this request's own among them
     * @param code for example {@link TaskManagement#COMPLETE}
     */
    public SrpResponse taskManagement(long tag, int requestLimitDelta, int code) {
        begin(tag, requestLimitDelta);
        flag(RSPVALID);
        Wire.put32(memory, offset + RESPONSE_DATA_LENGTH, RESPONSE_DATA_BYTES);
        Wire.put32(memory, offset + FIXED_BYTES, code & 0xff);
        length = FIXED_BYTES + RESPONSE_DATA_BYTES;
        return this;
    }

    private void begin(long tag, int requestLimitDelta) {
        Wire.zero(memory, offset, FIXED_BYTES);
        Wire.put8(memory, offset, SrpOpcode.RSP);
        Wire.put32(memory, offset + 4, requestLimitDelta);
        Wire.put64(memory, offset + 8, tag);
        length = FIXED_BYTES;
    }

    /** Target: marks that the response goes out with a solicited event. */
    public SrpResponse solicited() {
        Wire.put8(memory, offset + 1, SOLNT);
        return this;
    }

    /**
     * Target: compares what the command wanted to move from the initiator with the initiator's buffer, and reports the
     * residual.
     *
     * @param wanted bytes that the command asked for, or that were moved if that was less
     * @param buffer bytes of the data-out buffer
     */
    public SrpResponse dataOut(long wanted, long buffer) {
        return residual(wanted, buffer, DATA_OUT_RESIDUAL, DATA_OUT_OVER, DATA_OUT_UNDER);
    }

    /** Target: the same for the data-in buffer. */
    public SrpResponse dataIn(long wanted, long buffer) {
        return residual(wanted, buffer, DATA_IN_RESIDUAL, DATA_IN_OVER, DATA_IN_UNDER);
    }

    private SrpResponse residual(long wanted, long buffer, int field, int over, int under) {
        if (wanted != buffer) {
            flag(wanted > buffer ? over : under);
            Wire.put32(memory, offset + field, Math.min(Math.abs(wanted - buffer), MAX_RESIDUAL));
        }
        return this;
    }

    /** Target: adds sense data after what is there; what does not fit is cut off. Once, and last. */
    public SrpResponse sense(MemorySegment sense, long senseOffset, int senseLength) {
        int fits = Math.max(0, Math.min(senseLength, capacity - length));
        if (fits > 0) {
            flag(SNSVALID);
            MemorySegment.copy(sense, senseOffset, memory, offset + length, fits);
            Wire.put32(memory, offset + SENSE_LENGTH, fits);
            length += fits;
        }
        return this;
    }

    private void flag(int bit) {
        Wire.put8(memory, offset + FLAGS, Wire.u8(memory, offset + FLAGS) | bit);
    }

    /** Bytes of the unit. */
    public int length() {
        return length;
    }

    /** Initiator: checks opcode and length, and that response and sense data lie inside the unit. */
    public UnitProblem validate() {
        if (length < FIXED_BYTES) {
            return UnitProblem.TOO_SHORT;
        }
        if (Wire.u8(memory, offset) != SrpOpcode.RSP) {
            return UnitProblem.WRONG_OPCODE;
        }
        long responseData = has(RSPVALID) ? Wire.u32(memory, offset + RESPONSE_DATA_LENGTH) : 0;
        long sense = has(SNSVALID) ? Wire.u32(memory, offset + SENSE_LENGTH) : 0;
        return FIXED_BYTES + responseData + sense <= length ? UnitProblem.NONE : UnitProblem.TOO_SHORT;
    }

    /** Whether the sender marked it as solicited. */
    public boolean isSolicited() {
        return (Wire.u8(memory, offset + 1) & SOLNT) != 0;
    }

    /** The credits that come with it. */
    public int requestLimitDelta() {
        return Wire.i32(memory, offset + 4);
    }

    /** The tag of the request. */
    public long tag() {
        return Wire.i64(memory, offset + 8);
    }

    /** SCSI status. */
    public int status() {
        return Wire.u8(memory, offset + STATUS);
    }

    /** Data-out residual: positive bytes not moved (underflow), negative bytes too many (overflow), 0 none. */
    public long dataOutResidual() {
        return residual(DATA_OUT_RESIDUAL, DATA_OUT_OVER, DATA_OUT_UNDER);
    }

    /** Data-in residual, as {@link #dataOutResidual}. */
    public long dataInResidual() {
        return residual(DATA_IN_RESIDUAL, DATA_IN_OVER, DATA_IN_UNDER);
    }

    private long residual(int field, int over, int under) {
        int flags = Wire.u8(memory, offset + FLAGS);
        long bytes = Wire.u32(memory, offset + field);
        if ((flags & over) != 0) {
            return -bytes;
        }
        return (flags & under) != 0 ? bytes : 0;
    }

    /** Bytes of response data, 0 when there are none. */
    public int responseDataLength() {
        return has(RSPVALID) ? Wire.i32(memory, offset + RESPONSE_DATA_LENGTH) : 0;
    }

    /** The code of a task management response, or -1 when the response data are missing or short. */
    public int taskManagementCode() {
        return responseDataLength() >= RESPONSE_DATA_BYTES ? Wire.u8(memory, offset + FIXED_BYTES + 3) : -1;
    }

    /** Bytes of sense data, 0 when there are none. */
    public int senseLength() {
        return has(SNSVALID) ? Wire.i32(memory, offset + SENSE_LENGTH) : 0;
    }

    /** Where the sense data begin in the segment: after the response data. */
    public long senseOffset() {
        return offset + FIXED_BYTES + responseDataLength();
    }

    private boolean has(int flag) {
        return (Wire.u8(memory, offset + FLAGS) & flag) != 0;
    }
}
