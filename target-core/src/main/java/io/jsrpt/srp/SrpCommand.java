package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/** SRP_CMD (SRP r16a, table 18), a flyweight for both ends; see the package for its use. */
public final class SrpCommand {
    /** Bytes before the additional CDB. */
    public static final int FIXED_BYTES = 48;

    /** Task attribute: simple. */
    public static final int SIMPLE = 0;

    /** Task attribute: head of queue. */
    public static final int HEAD_OF_QUEUE = 1;

    /** Task attribute: ordered. */
    public static final int ORDERED = 2;

    /** Task attribute: auto contingent allegiance. */
    public static final int ACA = 4;

    private static final int CDB_OFFSET = 32;
    private static final int CDB_BYTES = 16;
    private static final int ADDITIONAL_CDB_MASK = 0xfc;

    private MemorySegment memory = MemorySegment.NULL;
    private long offset;
    private int length;

    /**
     * Looks at a unit.
     *
     * @param memory holds it; only read until the next wrap
     * @param offset of its first byte
     * @param length its bytes, as received; inside the segment
     */
    public SrpCommand wrap(MemorySegment memory, long offset, int length) {
        this.memory = memory;
        this.offset = offset;
        this.length = length;
        return this;
    }

    /**
     * Checks the opcode, the length and the buffer formats; the descriptors are checked by
     * {@link DataDescriptors#parse}. A unit that is too short even for its tag has none to answer with.
     */
    public UnitProblem validate() {
        if (length < FIXED_BYTES) {
            return UnitProblem.TOO_SHORT;
        }
        if (Wire.u8(memory, offset) != SrpOpcode.CMD) {
            return UnitProblem.WRONG_OPCODE;
        }
        if (length < descriptorOffset()) {
            return UnitProblem.TOO_SHORT;
        }
        return dataOutFormat() > BufferFormats.IMMEDIATE || dataInFormat() > BufferFormats.INDIRECT
                ? UnitProblem.UNKNOWN_BUFFER_FORMAT
                : UnitProblem.NONE;
    }

    /** The segment that holds the unit. */
    public MemorySegment memory() {
        return memory;
    }

    /** Where the unit begins in its segment. */
    public long offset() {
        return offset;
    }

    /** Bytes of the unit. */
    public int length() {
        return length;
    }

    /** Whether the initiator wants the response with a solicited event (UCSOLNT, SCSOLNT: either is enough). */
    public boolean solicitedResponse() {
        return (Wire.u8(memory, offset + 1) & 0x06) != 0;
    }

    /** The tag of the command and its response. */
    public long tag() {
        return Wire.i64(memory, offset + 8);
    }

    /** The logical unit number, in SAM's eight-byte form. */
    public long lun() {
        return Wire.i64(memory, offset + 20);
    }

    /** The task attribute, 0 to 7; values without a constant here are reserved. */
    public int taskAttribute() {
        return Wire.u8(memory, offset + 29) & 0x07;
    }

    /** The data-out buffer descriptor format. */
    public int dataOutFormat() {
        return Wire.u8(memory, offset + 5) >> 4;
    }

    /** The data-in buffer descriptor format. */
    public int dataInFormat() {
        return Wire.u8(memory, offset + 5) & 0x0f;
    }

    /** Descriptors of the data-out buffer that are in the unit, 0 to 255, as the initiator counts them. */
    public int dataOutCount() {
        return Wire.u8(memory, offset + 6);
    }

    /** Descriptors of the data-in buffer that are in the unit, 0 to 255, as the initiator counts them. */
    public int dataInCount() {
        return Wire.u8(memory, offset + 7);
    }

    /** Where the CDB begins in the segment. */
    public long cdbOffset() {
        return offset + CDB_OFFSET;
    }

    /** Bytes of the CDB with its additional part: 16 to 268. */
    public int cdbLength() {
        return CDB_BYTES + additionalCdbLength();
    }

    /** Where the buffer descriptors begin, counted from the unit's first byte. */
    public int descriptorOffset() {
        return FIXED_BYTES + additionalCdbLength();
    }

    private int additionalCdbLength() {
        return Wire.u8(memory, offset + 31) & ADDITIONAL_CDB_MASK;
    }

    /**
     * Initiator: writes the fixed part of a command without data into the wrapped memory, the CDB all zero.
     *
     * @param additionalCdbBytes a multiple of 4, at most 252
     */
    public SrpCommand encode(long tag, long lun, int taskAttribute, int additionalCdbBytes) {
        if ((additionalCdbBytes & ~ADDITIONAL_CDB_MASK) != 0) {
            throw new IllegalArgumentException("not a multiple of 4 up to 252: " + additionalCdbBytes);
        }
        Wire.zero(memory, offset, FIXED_BYTES + (long) additionalCdbBytes);
        Wire.put8(memory, offset, SrpOpcode.CMD);
        Wire.put64(memory, offset + 8, tag);
        Wire.put64(memory, offset + 20, lun);
        Wire.put8(memory, offset + 29, taskAttribute);
        Wire.put8(memory, offset + 31, additionalCdbBytes);
        return this;
    }

    /** Initiator: sets the buffer formats and the counts of descriptors in the unit. */
    public SrpCommand buffers(int dataOutFormat, int dataOutCount, int dataInFormat, int dataInCount) {
        Wire.put8(memory, offset + 5, dataOutFormat << 4 | dataInFormat);
        Wire.put8(memory, offset + 6, dataOutCount);
        Wire.put8(memory, offset + 7, dataInCount);
        return this;
    }

    /** Initiator: writes a descriptor. */
    public static void putDescriptor(MemorySegment memory, long at, long address, int rkey, long length) {
        Wire.put64(memory, at, address);
        Wire.put32(memory, at + 8, rkey);
        Wire.put32(memory, at + 12, length);
    }
}
