package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.store.MemoryStore;
import io.jsrpt.store.StoreCompletion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any CDB, with any buffers: nothing is thrown, no more is returned than asked for (which {@link Initiator} checks),
 * and the blocks are those of a model that only knows reads and writes.
 */
class RandomCommandsTest {
    private static final int BLOCKS = 48;
    private static final int[] READS = {0x08, 0x28, 0xA8, 0x88};
    private static final int[] WRITES = {0x0A, 0x2A, 0xAA, 0x8A, 0x2E, 0xAE, 0x8E};

    private final MemoryStore store = new MemoryStore(BLOCKS * 512L, 512);
    private final Initiator initiator = Units.initiator(Units.over(store));
    private final byte[] model = new byte[BLOCKS * 512];

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void anything(long seed) {
        Random random = new Random(seed);
        int reads = 0;
        int writes = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] cdb = cdb(random);
            int length = random.nextInt(20) == 0 ? random.nextInt(33) : 16;
            byte[] out = new byte[random.nextBoolean() ? 0 : size(random)];
            random.nextBytes(out);
            int room = random.nextBoolean() ? 0 : size(random);
            long lun = random.nextInt(20) == 0 ? random.nextLong() : 0;
            TaskAttribute attribute = TaskAttribute.values()[random.nextInt(random.nextInt(10) == 0 ? 4 : 1)];
            Initiator.Answer answer = initiator.send(lun, cdb, length, attribute, room, out);
            String what = "seed " + seed + ", command " + i + ", " + HexFormat.of().formatHex(cdb);
            if (answer.status() == ScsiStatus.GOOD && lun == 0) {
                reads += checkRead(cdb, room, answer, what);
                writes += applyWrite(cdb, out);
            }
            if (i % 100 == 0) {
                assertArrayEquals(model, contents(), what);
            }
            initiator.send(0, "1B 01 00 00 01 00").good();
        }
        assertTrue(reads > 500 && writes > 500, reads + " reads, " + writes + " writes");
    }

    /** Mostly codes of the table with few bits set, so that much of it gets past the checks. */
    private static byte[] cdb(Random random) {
        byte[] cdb = new byte[16];
        if (random.nextInt(4) == 0) {
            random.nextBytes(cdb);
            return cdb;
        }
        Command command = CommandTable.ALL.get(random.nextInt(CommandTable.ALL.size()));
        byte[] usage = command.usage();
        cdb[0] = usage[0];
        cdb[1] = (byte) Math.max(0, command.serviceAction());
        for (int set = random.nextInt(4); set > 0; set--) {
            int at = random.nextInt(1, usage.length);
            cdb[at] |= (byte) ((1 << random.nextInt(8)) & usage[at]);
        }
        int lengthAt = command.cdbLength() == 16 ? 13 : command.cdbLength() == 12 ? 9 : command.cdbLength() - 2;
        if (lengthAt < cdb.length && random.nextBoolean()) {
            cdb[lengthAt] = (byte) random.nextInt(9);
        }
        if (random.nextBoolean()) {
            cdb[usage.length == 16 ? 9 : usage.length == 6 ? 3 : 5] = (byte) random.nextInt(BLOCKS + 2);
        }
        return cdb;
    }

    private static int size(Random random) {
        return random.nextBoolean() ? 512 * random.nextInt(20) : random.nextInt(9000);
    }

    private int checkRead(byte[] cdb, int room, Initiator.Answer answer, String what) {
        if (!isOneOf(READS, cdb)) {
            return 0;
        }
        int from = 512 * address(cdb);
        int length = 512 * blocks(cdb);
        assertEquals(room - length, answer.dataInResidual(), what);
        assertArrayEquals(Arrays.copyOfRange(model, from, from + Math.min(room, length)), answer.data(), what);
        return 1;
    }

    private int applyWrite(byte[] cdb, byte[] out) {
        if (!isOneOf(WRITES, cdb)) {
            return 0;
        }
        System.arraycopy(out, 0, model, 512 * address(cdb), 512 * blocks(cdb));
        return 1;
    }

    private static boolean isOneOf(int[] codes, byte[] cdb) {
        return Arrays.stream(codes).anyMatch(code -> code == (cdb[0] & 0xFF));
    }

    /** Of a command that went well: its address is below {@link #BLOCKS}, so one byte holds it. */
    private static int address(byte[] cdb) {
        int at = switch (cdb[0] & 0xE0) {
            case 0x00 -> 3;
            case 0x80 -> 9;
            default -> 5;
        };
        return cdb[at] & 0xFF;
    }

    private static int blocks(byte[] cdb) {
        int at = switch (cdb[0] & 0xE0) {
            case 0x00 -> 4;
            case 0x20 -> 8;
            case 0x80 -> 13;
            default -> 9;
        };
        return cdb[at] & 0xFF;
    }

    private byte[] contents() {
        byte[] contents = new byte[model.length];
        store.read(0, MemorySegment.ofArray(contents), new StoreCompletion() {
            @Override
            public void completed() {
                assertEquals(BLOCKS, store.blockCount());
            }

            @Override
            public void failed(Throwable cause) {
                throw new AssertionError(cause);
            }
        });
        return contents;
    }
}
