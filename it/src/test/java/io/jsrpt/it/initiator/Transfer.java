package io.jsrpt.it.initiator;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** How a command's data buffer is described to the target. */
public sealed interface Transfer {
    /** No data. */
    Transfer NONE = new None();

    /** No data. */
    record None() implements Transfer {}

    /** A piece of the initiator's memory. */
    record Piece(long address, int rkey, long length) {}

    /** One descriptor. */
    record Direct(Piece piece) implements Transfer {}

    /**
     * A table of descriptors.
     *
     * @param pieces what the whole table holds
     * @param table where the whole table lies in the initiator's memory
     * @param inUnit how many of the descriptors go into the unit
     * @param count what the unit says of how many there are
     * @param total what the unit says of the length of the buffer
     */
    record Indirect(List<Piece> pieces, Piece table, int inUnit, int count, long total) implements Transfer {
        /** The same with another announced total. */
        public Indirect announcing(long other) {
            return new Indirect(pieces, table, inUnit, count, other);
        }
    }

    /** Data in the unit itself. */
    record Immediate(MemorySegment data) implements Transfer {}

    /** One descriptor for a range of a buffer. */
    static Transfer direct(RegisteredBuffer buffer, long offset, long length) {
        return new Direct(new Piece(buffer.address(offset), buffer.region().rkey(), length));
    }

    /** A table for a range of a buffer, cut into pieces of equal size (the last may be shorter), all in the unit. */
    static Indirect indirect(RegisteredBuffer buffer, long offset, long length, long pieceBytes) {
        List<Piece> pieces = new ArrayList<>();
        for (long at = 0; at < length; at += pieceBytes) {
            pieces.add(new Piece(
                    buffer.address(offset + at), buffer.region().rkey(), Math.min(pieceBytes, length - at)));
        }
        int n = pieces.size();
        return new Indirect(List.copyOf(pieces), new Piece(0, 0, n * 16L), n, n, length);
    }

    /** The same with the table in registered memory, and only the first descriptors in the unit. */
    static Indirect external(
            RegisteredBuffer buffer, long offset, long length, long pieceBytes, RegisteredBuffer table, int inUnit) {
        Indirect whole = indirect(buffer, offset, length, pieceBytes);
        long at = 0;
        for (Piece piece : whole.pieces()) {
            CommandEncoder.putDescriptor(table.memory(), at, piece);
            at += 16;
        }
        return new Indirect(
                whole.pieces(), new Piece(table.address(0), table.region().rkey(), at), inUnit, inUnit, length);
    }
}
