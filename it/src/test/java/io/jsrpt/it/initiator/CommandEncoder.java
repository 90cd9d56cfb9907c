package io.jsrpt.it.initiator;

import io.jsrpt.srp.BufferFormats;
import io.jsrpt.srp.SrpCommand;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Writes SRP_CMD units. */
final class CommandEncoder {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int CDB_BYTES = 16;

    private final SrpCommand unit = new SrpCommand();

    /** Writes a unit; returns its length. */
    int encode(MemorySegment memory, long offset, long tag, ScsiCommand command, int immediateOffset) {
        int additional = Math.max(0, command.cdb().length - CDB_BYTES + 3) & ~3;
        unit.wrap(memory, offset, SrpCommand.FIXED_BYTES + additional)
                .encode(tag, command.lun(), command.attribute(), additional)
                .buffers(format(command.out()), count(command.out()), format(command.in()), count(command.in()));
        MemorySegment.copy(command.cdb(), 0, memory, ValueLayout.JAVA_BYTE, unit.cdbOffset(), command.cdb().length);
        int at = put(memory, offset, unit.descriptorOffset(), command.out(), immediateOffset);
        return put(memory, offset, at, command.in(), immediateOffset);
    }

    static void putDescriptor(MemorySegment memory, long at, Transfer.Piece piece) {
        SrpCommand.putDescriptor(memory, at, piece.address(), piece.rkey(), piece.length());
    }

    private static int put(MemorySegment memory, long offset, int at, Transfer transfer, int immediateOffset) {
        switch (transfer) {
            case Transfer.None() -> {
                return at;
            }
            case Transfer.Direct(Transfer.Piece piece) -> {
                putDescriptor(memory, offset + at, piece);
                return at + BufferFormats.DESCRIPTOR_BYTES;
            }
            case Transfer.Indirect table -> {
                putDescriptor(memory, offset + at, table.table());
                memory.set(INT, offset + at + 16, (int) table.total());
                int next = at + BufferFormats.INDIRECT_BYTES;
                for (Transfer.Piece piece : table.pieces().subList(0, table.inUnit())) {
                    putDescriptor(memory, offset + next, piece);
                    next += BufferFormats.DESCRIPTOR_BYTES;
                }
                return next;
            }
            case Transfer.Immediate(MemorySegment data) -> {
                memory.set(INT, offset + at, (int) data.byteSize());
                MemorySegment.copy(data, 0, memory, offset + immediateOffset, data.byteSize());
                return (int) (immediateOffset + data.byteSize());
            }
        }
    }

    private static int format(Transfer transfer) {
        return switch (transfer) {
            case Transfer.None _ -> BufferFormats.NONE;
            case Transfer.Direct _ -> BufferFormats.DIRECT;
            case Transfer.Indirect _ -> BufferFormats.INDIRECT;
            case Transfer.Immediate _ -> BufferFormats.IMMEDIATE;
        };
    }

    private static int count(Transfer transfer) {
        return transfer instanceof Transfer.Indirect indirect ? indirect.count() : 0;
    }
}
