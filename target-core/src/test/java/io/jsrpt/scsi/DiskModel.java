package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** What a small disk does with its bytes, command by command, told from the CDB alone. */
final class DiskModel {
    final byte[] bytes;
    private final int blocks;

    DiskModel(int blocks) {
        this.blocks = blocks;
        bytes = new byte[blocks * Units.BLOCK];
    }

    /** Takes a command that was answered GOOD, and says whether it is one that moves blocks. */
    boolean good(byte[] cdb, byte[] out, int room, Initiator.Answer answer, String what) {
        int from = address(cdb) * Units.BLOCK;
        int length = length(cdb) * Units.BLOCK;
        switch (cdb[0] & 0xFF) {
            case 0x08, 0x28, 0xA8, 0x88 -> {
                assertEquals(room - length, answer.dataInResidual(), what);
                assertArrayEquals(Arrays.copyOfRange(bytes, from, from + Math.min(room, length)), answer.data(), what);
            }
            case 0x0A, 0x2A, 0xAA, 0x8A, 0x2E, 0xAE, 0x8E -> System.arraycopy(out, 0, bytes, from, length);
            case 0x41, 0x93 -> writeSame(cdb, out, from, length);
            case 0x42 -> unmap(out, cdb);
            case 0x89 -> {
                int half = (cdb[13] & 0xFF) * Units.BLOCK;
                assertArrayEquals(Arrays.copyOf(out, half), Arrays.copyOfRange(bytes, from, from + half), what);
                System.arraycopy(out, half, bytes, from, half);
            }
            case 0x8B -> {
                for (int i = 0; i < length; i++) {
                    bytes[from + i] |= out[i];
                }
            }
            case 0x2F, 0xAF, 0x8F -> assertFalse(differs(cdb, out, from, length), what);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Takes a command that was answered MISCOMPARE. */
    void miscompare(byte[] cdb, byte[] out, Initiator.Answer answer, String what) {
        int from = address(cdb) * Units.BLOCK;
        if ((cdb[0] & 0xFF) == 0x89) {
            int half = (cdb[13] & 0xFF) * Units.BLOCK;
            int differs = Arrays.mismatch(out, 0, half, bytes, from, from + half);
            assertEquals(differs, ByteBuffer.wrap(answer.sense()).getInt(3), what);
        } else {
            assertEquals(true, differs(cdb, out, from, length(cdb) * Units.BLOCK), what);
        }
    }

    private boolean differs(byte[] cdb, byte[] out, int from, int length) {
        int byteCheck = (cdb[1] >> 1) & 3;
        for (int i = 0; byteCheck != 0 && i < length; i++) {
            if (bytes[from + i] != out[byteCheck == 3 ? i % Units.BLOCK : i]) {
                return true;
            }
        }
        return false;
    }

    private void writeSame(byte[] cdb, byte[] out, int from, int length) {
        boolean without = (cdb[0] & 0xFF) == 0x93 && (cdb[1] & 1) != 0;
        for (int i = 0; i < length; i++) {
            bytes[from + i] = without ? 0 : out[i % Units.BLOCK];
        }
    }

    private void unmap(byte[] out, byte[] cdb) {
        if (cdb[7] == 0 && cdb[8] == 0) {
            return;
        }
        ByteBuffer list = ByteBuffer.wrap(out);
        for (int i = 0; i < list.getShort(2) / 16; i++) {
            int first = (int) list.getLong(8 + 16 * i);
            int count = list.getInt(16 + 16 * i);
            if (count != 0) {
                Arrays.fill(bytes, first * Units.BLOCK, (first + count) * Units.BLOCK, (byte) 0);
            }
        }
    }

    /** Of a command that went well: its address is below {@link #blocks}, so one byte holds it. */
    int address(byte[] cdb) {
        int at = switch (cdb[0] & 0xE0) {
            case 0x00 -> 3;
            case 0x80 -> 9;
            default -> 5;
        };
        return Math.min(cdb[at] & 0xFF, blocks);
    }

    private static int length(byte[] cdb) {
        int at = switch (cdb[0] & 0xE0) {
            case 0x00 -> 4;
            case 0x20, 0x40 -> 8;
            case 0x80 -> 13;
            default -> 9;
        };
        return cdb[at] & 0xFF;
    }
}
