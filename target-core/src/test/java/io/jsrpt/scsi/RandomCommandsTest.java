package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.store.MemoryStore;
import io.jsrpt.store.StoreCompletion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any CDB, with any buffers: nothing is thrown, no more is returned than asked for (which {@link Initiator} checks),
 * every CHECK CONDITION has valid sense data, and the blocks are those of a model after each command.
 */
class RandomCommandsTest {
    /** RESERVE, PERSISTENT RESERVE IN and OUT: the two kinds of reservations do not mix. */
    private static final Set<Integer> RESERVING = Set.of(0x16, 0x56, 0x5E, 0x5F);
    private static final int BLOCKS = 48;

    private final MemoryStore store = new MemoryStore(BLOCKS * 512L, 512);
    private final Initiator initiator = Units.initiator(Units.over(store));
    private final DiskModel model = new DiskModel(BLOCKS);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anything(long seed) {
        Random random = new Random(seed);
        Set<Integer> went = new HashSet<>();
        int miscompares = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] cdb = cdb(random);
            int length = random.nextInt(20) == 0 ? random.nextInt(33) : 16;
            byte[] out = out(random, cdb);
            int room = random.nextBoolean() ? 0 : size(random);
            long lun = random.nextInt(20) == 0 ? random.nextLong() : 0;
            TaskAttribute attribute = TaskAttribute.values()[random.nextInt(random.nextInt(10) == 0 ? 4 : 1)];
            Initiator.Answer answer = initiator.send(lun, cdb, length, attribute, room, out);
            String what = "seed " + seed + ", command " + i + ", " + HexFormat.of().formatHex(cdb);
            if (answer.status() == ScsiStatus.CHECK_CONDITION) {
                ValidSense.check(answer.sense(), cdb, length, out.length, what + ", " + answer.senseHex());
                if (answer.condition().startsWith("E")) {
                    model.miscompare(cdb, out, answer, what);
                    miscompares++;
                }
            } else if (answer.status() == ScsiStatus.RESERVATION_CONFLICT) {
                assertTrue(RESERVING.contains(cdb[0] & 0xFF), "a nexus is alone: " + what);
            } else {
                assertEquals(ScsiStatus.GOOD, answer.status(), what);
                if (lun == 0 && model.good(cdb, out, room, answer, what)) {
                    went.add(cdb[0] & 0xFF);
                }
            }
            if (i % 16 == 0) {
                assertArrayEquals(model.bytes, contents(), what);
            }
            initiator.send(0, "1B 01 00 00 01 00").good();
        }
        assertTrue(miscompares > 0, miscompares + " miscompares");
        assertEquals(Set.of(0x08, 0x28, 0xA8, 0x88, 0x0A, 0x2A, 0xAA, 0x8A, 0x2E, 0xAE, 0x8E, 0x41, 0x93, 0x42, 0x89,
            0x8B, 0x2F, 0xAF, 0x8F), went);
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

    /** Random, but for commands that want something of a form: those often get it. */
    private byte[] out(Random random, byte[] cdb) {
        byte[] out = new byte[random.nextBoolean() ? 0 : size(random)];
        random.nextBytes(out);
        int operation = cdb[0] & 0xFF;
        if (operation == 0x42 && random.nextInt(4) != 0) {
            return unmapList(random, cdb);
        }
        if ((operation == 0x41 || operation == 0x93) && random.nextInt(4) != 0) {
            byte[] block = new byte[Units.BLOCK];
            Arrays.fill(block, (byte) random.nextInt(2));
            return block;
        }
        if ((operation == 0x89 || (operation & 0x5F) == 0x0F) && random.nextInt(4) != 0) {
            int from = model.address(cdb) * Units.BLOCK;
            byte[] same = Arrays.copyOf(Arrays.copyOfRange(model.bytes, from, model.bytes.length), 16 * Units.BLOCK);
            same[random.nextInt(same.length)] ^= (byte) (random.nextInt(3) == 0 ? 1 : 0);
            return same;
        }
        return out;
    }

    private static byte[] unmapList(Random random, byte[] cdb) {
        int count = random.nextInt(5);
        ByteBuffer list = ByteBuffer.allocate(8 + 16 * count);
        list.putShort(0, (short) (6 + 16 * count)).putShort(2, (short) (16 * count));
        for (int i = 0; i < count; i++) {
            list.putLong(8 + 16 * i, random.nextInt(BLOCKS)).putInt(16 + 16 * i, random.nextInt(4));
        }
        cdb[7] = 0;
        cdb[8] = (byte) list.capacity();
        return list.array();
    }

    private static int size(Random random) {
        return random.nextBoolean() ? 512 * random.nextInt(20) : random.nextInt(9000);
    }

    private byte[] contents() {
        byte[] contents = new byte[model.bytes.length];
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
