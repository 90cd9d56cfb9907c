package io.jsrpt.channel;

import io.jsrpt.scsi.Lun;
import io.jsrpt.srp.BufferFormats;
import io.jsrpt.srp.InitiatorLogout;
import io.jsrpt.srp.SrpCommand;
import io.jsrpt.srp.TaskManagement;
import io.jsrpt.testing.RemoteMemory;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/** Builds the units that an initiator sends. */
final class Units {
    static final int BLOCK = 512;
    static final int IMMEDIATE_OFFSET = 68;

    private Units() {}

    /** A piece of the initiator's memory. */
    record Piece(RemoteMemory.Region region, int offset, int length) {
        static Piece all(RemoteMemory.Region region) {
            return new Piece(region, 0, region.bytes().length);
        }
    }

    static byte[] read10(int lba, int blocks) {
        return cdb10(0x28, lba, blocks);
    }

    static byte[] write10(int lba, int blocks) {
        return cdb10(0x2a, lba, blocks);
    }

    static byte[] testUnitReady() {
        return new byte[16];
    }

    static byte[] synchronizeCache() {
        return cdb10(0x35, 0, 0);
    }

    static byte[] inquiry(int allocationLength) {
        return ByteBuffer.allocate(16).put(0, (byte) 0x12).putShort(3, (short) allocationLength).array();
    }

    private static byte[] cdb10(int opcode, int lba, int blocks) {
        return ByteBuffer.allocate(16).put(0, (byte) opcode).putInt(2, lba).putShort(7, (short) blocks).array();
    }

    /** A command without data buffers. */
    static byte[] plain(long tag, int lun, byte[] cdb) {
        return command(tag, lun, cdb, 0, 0, 0, 0, new byte[0]);
    }

    static byte[] directIn(long tag, int lun, byte[] cdb, Piece piece) {
        return command(tag, lun, cdb, 0, 0, BufferFormats.DIRECT, 1, descriptor(piece));
    }

    static byte[] directOut(long tag, int lun, byte[] cdb, Piece piece) {
        return command(tag, lun, cdb, BufferFormats.DIRECT, 1, 0, 0, descriptor(piece));
    }

    static byte[] indirectIn(long tag, int lun, byte[] cdb, List<Piece> pieces) {
        return command(tag, lun, cdb, 0, 0, BufferFormats.INDIRECT, pieces.size(), table(pieces, true, 0, 0));
    }

    static byte[] indirectOut(long tag, int lun, byte[] cdb, List<Piece> pieces) {
        return command(tag, lun, cdb, BufferFormats.INDIRECT, pieces.size(), 0, 0, table(pieces, true, 0, 0));
    }

    /** A table that lies in the initiator's memory. */
    static byte[] externalIn(long tag, int lun, byte[] cdb, List<Piece> pieces, RemoteMemory.Region table) {
        return command(tag, lun, cdb, 0, 0, BufferFormats.INDIRECT, 0,
                table(pieces, false, table.address(), table.rkey()));
    }

    static byte[] externalOut(long tag, int lun, byte[] cdb, List<Piece> pieces, RemoteMemory.Region table) {
        return command(tag, lun, cdb, BufferFormats.INDIRECT, 0, 0, 0,
                table(pieces, false, table.address(), table.rkey()));
    }

    /** Writes the descriptors where an external table is expected. */
    static void fillTable(List<Piece> pieces, RemoteMemory.Region table) {
        ByteBuffer into = ByteBuffer.wrap(table.bytes());
        pieces.forEach(piece -> into.put(descriptor(piece)));
    }

    static byte[] immediate(long tag, int lun, byte[] cdb, byte[] data) {
        return immediate(tag, lun, cdb, data, data.length);
    }

    /** Immediate data whose length field says something else. */
    static byte[] immediate(long tag, int lun, byte[] cdb, byte[] data, int announced) {
        byte[] unit = new byte[IMMEDIATE_OFFSET + data.length];
        byte[] head = command(tag, lun, cdb, BufferFormats.IMMEDIATE, 0, 0, 0,
                ByteBuffer.allocate(4).putInt(announced).array());
        System.arraycopy(head, 0, unit, 0, head.length);
        System.arraycopy(data, 0, unit, IMMEDIATE_OFFSET, data.length);
        return unit;
    }

    static byte[] descriptor(Piece piece) {
        return descriptor(piece.region().address() + piece.offset(), piece.region().rkey(), piece.length());
    }

    static byte[] descriptor(long address, int rkey, int length) {
        return ByteBuffer.allocate(16).putLong(address).putInt(rkey).putInt(length).array();
    }

    private static byte[] table(List<Piece> pieces, boolean inUnit, long address, int rkey) {
        int total = pieces.stream().mapToInt(Piece::length).sum();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(descriptor(address, rkey, 16 * pieces.size()));
        bytes.writeBytes(ByteBuffer.allocate(4).putInt(total).array());
        if (inUnit) {
            pieces.forEach(piece -> bytes.writeBytes(descriptor(piece)));
        }
        return bytes.toByteArray();
    }

    static byte[] command(long tag, int lun, byte[] cdb, int outFormat, int outCount, int inFormat, int inCount,
            byte[] descriptors) {
        byte[] unit = new byte[SrpCommand.FIXED_BYTES + descriptors.length];
        SrpCommand command = new SrpCommand().wrap(MemorySegment.ofArray(unit), 0, unit.length);
        command.encode(tag, Lun.encode(lun), SrpCommand.SIMPLE, 0).buffers(outFormat, outCount, inFormat, inCount);
        System.arraycopy(cdb, 0, unit, (int) command.cdbOffset(), cdb.length);
        System.arraycopy(descriptors, 0, unit, SrpCommand.FIXED_BYTES, descriptors.length);
        return unit;
    }

    static byte[] taskManagement(long tag, int lun, int function, long taskTag) {
        byte[] unit = new byte[TaskManagement.BYTES];
        new TaskManagement().wrap(MemorySegment.ofArray(unit), 0, unit.length)
                .encode(tag, Lun.encode(lun), function, taskTag);
        return unit;
    }

    static byte[] logout(long tag) {
        byte[] unit = new byte[InitiatorLogout.BYTES];
        InitiatorLogout.encode(MemorySegment.ofArray(unit), 0, tag);
        return unit;
    }
}
