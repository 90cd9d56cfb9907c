package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/** SRP_TSK_MGMT (SRP r16a, table 16), a flyweight for both ends. */
public final class TaskManagement {
    /** Length of the unit. */
    public static final int BYTES = 48;

    /** Function: abort the task with {@link #taskTag}. */
    public static final int ABORT_TASK = 0x01;

    /** Function: abort all of this nexus's tasks of the logical unit. */
    public static final int ABORT_TASK_SET = 0x02;

    /** Function: abort all tasks of the logical unit. */
    public static final int CLEAR_TASK_SET = 0x04;

    /** Function: reset the logical unit. */
    public static final int LOGICAL_UNIT_RESET = 0x08;

    /** Function: clear an auto contingent allegiance. */
    public static final int CLEAR_ACA = 0x40;

    /** Response: the function is complete. */
    public static final int COMPLETE = 0;

    /** Response: a field of the unit is not valid. */
    public static final int INVALID_FIELD = 2;

    /** Response: the function is not supported. */
    public static final int NOT_SUPPORTED = 4;

    /** Response: the function failed. */
    public static final int FAILED = 5;

    private MemorySegment memory = MemorySegment.NULL;
    private long offset;
    private int length;

    /** Looks at a unit; see {@link SrpCommand#wrap}. */
    public TaskManagement wrap(MemorySegment memory, long offset, int length) {
        this.memory = memory;
        this.offset = offset;
        this.length = length;
        return this;
    }

    /** Checks length and opcode. An unknown function is no problem of the unit: it gets a response. */
    public UnitProblem validate() {
        if (length < BYTES) {
            return UnitProblem.TOO_SHORT;
        }
        return Wire.u8(memory, offset) == SrpOpcode.TSK_MGMT ? UnitProblem.NONE : UnitProblem.WRONG_OPCODE;
    }

    /** Whether the initiator wants the response with a solicited event. */
    public boolean solicitedResponse() {
        return (Wire.u8(memory, offset + 1) & 0x06) != 0;
    }

    /** The tag of this request and its response. */
    public long tag() {
        return Wire.i64(memory, offset + 8);
    }

    /** The logical unit number, in SAM's eight-byte form. */
    public long lun() {
        return Wire.i64(memory, offset + 20);
    }

    /** The function, 0 to 255. */
    public int function() {
        return Wire.u8(memory, offset + 30);
    }

    /** The tag of the task to abort. */
    public long taskTag() {
        return Wire.i64(memory, offset + 32);
    }

    /** Initiator: writes the unit into the wrapped memory. */
    public TaskManagement encode(long tag, long lun, int function, long taskTag) {
        Wire.zero(memory, offset, BYTES);
        Wire.put8(memory, offset, SrpOpcode.TSK_MGMT);
        Wire.put64(memory, offset + 8, tag);
        Wire.put64(memory, offset + 20, lun);
        Wire.put8(memory, offset + 30, function);
        Wire.put64(memory, offset + 32, taskTag);
        return this;
    }
}
