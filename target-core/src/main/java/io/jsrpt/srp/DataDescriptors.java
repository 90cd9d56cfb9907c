package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;

/**
 * The data buffers of a command, parsed ({@code srpt_get_desc_tbl}; SRP r16a, 5.4.2). One object is reused for one
 * command after the other. Of a parse that reports a problem nothing may be used: no RDMA work is owed for it.
 *
 * <p>The initiator's data-out buffer is what the target reads (RDMA READ, SCSI write), data-in what it writes.
 */
public final class DataDescriptors {
    private final BufferDescriptors out;
    private final BufferDescriptors in;

    /**
     * Room for this many descriptors in each direction.
     *
     * @param capacity also the longest table that is fetched from the initiator
     */
    public DataDescriptors(int capacity) {
        out = new BufferDescriptors(capacity);
        in = new BufferDescriptors(capacity);
    }

    /** The data-out buffer; empty when the command has none. */
    public BufferDescriptors out() {
        return out;
    }

    /** The data-in buffer; empty when the command has none. */
    public BufferDescriptors in() {
        return in;
    }

    /**
     * Parses the descriptors of a command that {@link SrpCommand#validate} found good. On success a buffer may still
     * say {@link BufferDescriptors#tableNeeded}.
     *
     * @param immediateDataOffset as negotiated at login; 0 when immediate data were not granted
     */
    public UnitProblem parse(SrpCommand command, int immediateDataOffset) {
        out.clear();
        in.clear();
        int outFormat = command.dataOutFormat();
        int inFormat = command.dataInFormat();
        int outCount = command.dataOutCount();
        int inCount = command.dataInCount();
        if (outFormat == BufferFormats.NONE || inFormat == BufferFormats.NONE) {
            // Some initiators put the count of the only table into the other direction's field.
            outCount += inCount;
            inCount = outCount;
        }
        long at = command.descriptorOffset();
        UnitProblem problem = UnitProblem.NONE;
        switch (outFormat) {
            case BufferFormats.NONE -> { }
            case BufferFormats.DIRECT, BufferFormats.INDIRECT ->
                problem = parse(command, out, at, outFormat, outCount);
            case BufferFormats.IMMEDIATE -> problem = parseImmediate(command, at, immediateDataOffset);
            default -> problem = UnitProblem.UNKNOWN_BUFFER_FORMAT;
        }
        if (problem != UnitProblem.NONE || inFormat == BufferFormats.NONE) {
            return problem;
        }
        if (inFormat > BufferFormats.INDIRECT) {
            return UnitProblem.UNKNOWN_BUFFER_FORMAT;
        }
        return parse(command, in, at + bytes(outFormat, outCount), inFormat, inCount);
    }

    /** Whether the command has a buffer in each direction. */
    public static boolean bidirectional(SrpCommand command) {
        return command.dataOutFormat() != BufferFormats.NONE && command.dataInFormat() != BufferFormats.NONE;
    }

    private static UnitProblem parse(SrpCommand command, BufferDescriptors into, long at, int format, int inUnit) {
        int fixed = format == BufferFormats.DIRECT ? BufferFormats.DESCRIPTOR_BYTES : BufferFormats.INDIRECT_BYTES;
        if (at + fixed > command.length()) {
            return UnitProblem.DESCRIPTORS_OUTSIDE_UNIT;
        }
        MemorySegment memory = command.memory();
        long first = command.offset() + at;
        if (format == BufferFormats.DIRECT) {
            return into.direct(memory, first);
        }
        UnitProblem problem = into.indirect(memory, first);
        if (problem != UnitProblem.NONE) {
            return problem;
        }
        if (into.tableLength() > inUnit * BufferFormats.DESCRIPTOR_BYTES) {
            into.needTable();
            return UnitProblem.NONE;
        }
        if (at + fixed + into.tableLength() > command.length()) {
            return UnitProblem.DESCRIPTORS_OUTSIDE_UNIT;
        }
        return into.readTable(memory, first + fixed);
    }

    private UnitProblem parseImmediate(SrpCommand command, long at, int dataOffset) {
        if (dataOffset <= 0) {
            return UnitProblem.IMMEDIATE_DATA_NOT_NEGOTIATED;
        }
        long end = at + BufferFormats.IMMEDIATE_BYTES;
        if (end > command.length()) {
            return UnitProblem.DESCRIPTORS_OUTSIDE_UNIT;
        }
        long bytes = Wire.u32(command.memory(), command.offset() + at);
        if (end > dataOffset || dataOffset + bytes > command.length()) {
            return UnitProblem.IMMEDIATE_DATA_OUTSIDE_UNIT;
        }
        out.immediate(dataOffset, bytes);
        return UnitProblem.NONE;
    }

    private static long bytes(int format, int count) {
        return switch (format) {
            case BufferFormats.NONE -> 0;
            case BufferFormats.DIRECT -> BufferFormats.DESCRIPTOR_BYTES;
            case BufferFormats.INDIRECT ->
                BufferFormats.INDIRECT_BYTES + (long) count * BufferFormats.DESCRIPTOR_BYTES;
            default -> BufferFormats.IMMEDIATE_BYTES;
        };
    }
}
