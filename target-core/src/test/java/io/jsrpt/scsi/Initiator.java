package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends commands to a device server as a transport does, over a store that answers at once; checks the contract. */
final class Initiator {
    static final byte[] NOTHING = new byte[0];
    private static final Nexus NEXUS = new Nexus(1, 2, 3, 4);
    private static final int SRP_CDB = 16;

    final ScsiTask task = new ScsiTask();
    private final DeviceServer server;
    private final Nexus nexus;

    Initiator(DeviceServer server) {
        this(server, NEXUS);
    }

    Initiator(DeviceServer server, Nexus nexus) {
        this.server = server;
        this.nexus = nexus;
    }

    Nexus nexus() {
        return nexus;
    }

    /** What came back: sense is empty without CHECK CONDITION. */
    record Answer(int status, byte[] sense, byte[] data, long residual, long dataInResidual, long dataOutResidual) {
        /** Sense key, additional sense code and qualifier, as "5/24/00". */
        String condition() {
            assertEquals(ScsiStatus.CHECK_CONDITION, status, "a CHECK CONDITION");
            assertEquals(SenseData.FIXED_LENGTH, sense.length);
            return String.format("%X/%02X/%02X", sense[2] & 0x0F, sense[12], sense[13]);
        }

        String senseHex() {
            return hex(sense);
        }

        String hex() {
            return hex(data);
        }

        private static String hex(byte[] bytes) {
            return HexFormat.of().withUpperCase().formatHex(bytes);
        }

        Answer good() {
            assertEquals(ScsiStatus.GOOD, status, () -> "GOOD, not " + senseHex());
            assertEquals(0, sense.length);
            return this;
        }
    }

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    Answer send(long lun, String cdb) {
        return send(lun, cdb, 0);
    }

    Answer send(long lun, String cdb, long room) {
        return send(lun, bytes(cdb), SRP_CDB, TaskAttribute.SIMPLE, room, NOTHING);
    }

    Answer write(long lun, String cdb, byte[] data) {
        return send(lun, bytes(cdb), SRP_CDB, TaskAttribute.SIMPLE, 0, data);
    }

    Answer send(long lun, byte[] cdb, int cdbLength, TaskAttribute attribute, long room, byte[] data) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment unit = arena.allocate(8 + 260);
            MemorySegment.copy(cdb, 0, unit, ValueLayout.JAVA_BYTE, 3, cdb.length);
            ScsiTask.Phase phase = server.begin(task, nexus, lun, unit, 3, cdbLength, attribute, room, data.length);
            if (phase == ScsiTask.Phase.COMPLETE) {
                assertEquals(0, task.dataInLength());
                return answer(NOTHING);
            }
            assertEquals(phase == ScsiTask.Phase.NO_DATA, task.bufferLength() == 0);
            assertTrue(phase != ScsiTask.Phase.DATA_IN || task.bufferLength() <= room, "no more than asked");
            assertTrue(phase != ScsiTask.Phase.DATA_OUT || task.bufferLength() <= data.length, "no more than sent");
            return execute(arena, phase, data);
        }
    }

    private Answer execute(Arena arena, ScsiTask.Phase phase, byte[] data) {
        int guard = 64;
        MemorySegment memory = arena.allocate(task.bufferLength() + 2L * guard);
        memory.fill((byte) 0x5A);
        MemorySegment buffer = memory.asSlice(guard, task.bufferLength());
        if (phase == ScsiTask.Phase.DATA_OUT) {
            MemorySegment.copy(data, 0, buffer, ValueLayout.JAVA_BYTE, 0, task.bufferLength());
        }
        AtomicInteger done = new AtomicInteger();
        server.execute(task, buffer, finished -> {
            assertEquals(task, finished);
            done.incrementAndGet();
        });
        assertEquals(1, done.get(), "completions");
        for (int i = 0; i < guard; i++) {
            assertEquals(0x5A, memory.get(ValueLayout.JAVA_BYTE, i), "before the buffer");
            assertEquals(0x5A, memory.get(ValueLayout.JAVA_BYTE, memory.byteSize() - 1 - i), "after the buffer");
        }
        assertTrue(task.dataInLength() <= task.bufferLength());
        byte[] in = buffer.toArray(ValueLayout.JAVA_BYTE);
        return answer(Arrays.copyOf(in, task.dataInLength()));
    }

    private Answer answer(byte[] data) {
        byte[] sense = new byte[task.senseLength()];
        task.copySense(MemorySegment.ofArray(sense), 0);
        return new Answer(task.status(), sense, data, task.residual(), task.dataInResidual(), task.dataOutResidual());
    }
}
