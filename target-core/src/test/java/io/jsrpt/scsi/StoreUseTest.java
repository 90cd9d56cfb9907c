package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.store.StoreBusyException;
import io.jsrpt.store.StoreCompletion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which store operations a command makes, and what becomes of their failures. */
class StoreUseTest {
    private static final byte[] BLOCK = new byte[Units.BLOCK];
    private static final String READ = "28 00 00000010 00 0002 00";

    private final ScriptedStore store = new ScriptedStore();
    private final Initiator initiator = Units.initiator(Units.over(store));

    private List<String> calls() {
        List<String> calls = List.copyOf(store.calls);
        store.calls.clear();
        return calls;
    }

    @Test
    void forcedReadsFlushFirst() {
        initiator.send(0, "28 08 00000010 00 0002 00", 1024).good();
        assertEquals(List.of("flush", "read 8192 1024"), calls());
        initiator.send(0, "88 02 0000000000000010 00000002 00 00", 1024).good();
        assertEquals(List.of("flush", "read 8192 1024"), calls());
        initiator.send(0, "28 14 00000010 00 0002 00", 1024).good();
        assertEquals(List.of("read 8192 1024"), calls());
    }

    @Test
    void partOfABlockIsReadAside() {
        initiator.send(0, READ, 700).good();
        assertEquals(List.of("read 8192 512", "read 8704 512"), calls());
        initiator.send(0, READ, 7).good();
        assertEquals(List.of("read 8192 512"), calls());
    }

    @Test
    void forcedWrites() {
        initiator.write(0, "2A 00 00000010 00 0001 00", BLOCK).good();
        initiator.write(0, "2A 08 00000010 00 0001 00", BLOCK).good();
        initiator.write(0, "2A 10 00000010 00 0001 00", BLOCK).good();
        initiator.write(0, "8A 02 0000000000000010 00000001 00 00", BLOCK).good();
        initiator.write(0, "0A 0A 0010 01 00", BLOCK);
        assertEquals(List.of("write 8192 512", "write 8192 512 forced", "write 8192 512", "write 8192 512 forced"),
            calls());
    }

    @Test
    void sixByteAddressesAreNotFlags() {
        initiator.write(0, "0A 00 0810 01 00", BLOCK).good();
        assertEquals(List.of("write 1056768 512"), calls());
    }

    @Test
    void withoutWriteCacheEveryWriteIsForced() {
        LogicalUnit unit = new LogicalUnit(Units.IDENTITY, store, Units.settings().withWriteCache(false));
        Units.initiator(unit).write(0, "2A 00 00000010 00 0001 00", BLOCK).good();
        Units.initiator(unit).write(0, "0A 00 0010 01 00", BLOCK).good();
        assertEquals(List.of("write 8192 512 forced", "write 8192 512 forced"), calls());
    }

    @Test
    void synchronizeCache() {
        for (String cdb : new String[] {"35", "35 02", "35 06 00000010 1F 0001 00", "91",
            "91 00 0000000000000010 00000010 00 00"}) {
            initiator.send(0, cdb).good();
            assertEquals(List.of("flush"), calls());
        }
    }

    @Test
    void stopFlushesUnlessToldNotTo() {
        initiator.send(0, "1B 00 00 00 00 00").good();
        assertEquals(List.of("flush"), calls());
        initiator.send(0, "1B 01 00 00 01 00").good();
        initiator.send(0, "1B 00 00 00 04 00").good();
        assertEquals(List.of(), calls());
    }

    /** After so many operations that went well the store fails: the sense data, with the first block's address. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "read,                    0, 28 00 00000010 00 0001 00, 0,    512, F00003000000100A00000000110000000000",
        "read at a high address,  0, 08 00 0FFF 01 00,          0,    512, F0000300000FFF0A00000000110000000000",
        "forced read in flush,    0, 28 08 00000010 00 0001 00, 0,    512, F00003000000100A00000000110000000000",
        "forced read,             1, 28 08 00000010 00 0001 00, 0,    512, F00003000000100A00000000110000000000",
        "whole blocks,            0, 28 00 00000010 00 0002 00, 0,    700, F00003000000100A00000000110000000000",
        "partial block,           1, 28 00 00000010 00 0002 00, 0,    700, F00003000000100A00000000110000000000",
        "write,                   0, 2A 00 00000010 00 0001 00, 512,  0,   F00003000000100A000000000C0000000000",
        "synchronize cache,       0, 35 00 00000000 00 0000 00, 0,    0,   F00003000000000A000000000C0000000000",
        "stop,                    0, 1B 00 00 00 00 00,         0,    0,   F00003000000000A000000000C0000000000",
        "verify in flush,         0, 2F 00 00000010 00 0001 00, 0,    0,   F00003000000100A00000000110000000000",
        "verify,                  1, 2F 00 00000010 00 0001 00, 0,    0,   F00003000000100A00000000110000000000",
        "verify of bytes,         1, 2F 02 00000010 00 0001 00, 512,  0,   F00003000000100A00000000110000000000",
        "verify in step two,      2, 2F 00 00000010 00 0300 00, 0,    0,   F00003000002100A00000000110000000000",
        "write and verify: write, 0, 2E 02 00000010 00 0001 00, 512,  0,   F00003000000100A000000000C0000000000",
        "write and verify: read,  1, 2E 02 00000010 00 0001 00, 512,  0,   F00003000000100A000000000C0000000000"})
    void failure(String what, int good, String cdb, int out, int room, String sense) {
        IOException cause = new IOException("gone");
        store.failing(good, cause);
        failed(cdb, out, room, sense, cause);
        IllegalStateException bug = new IllegalStateException("a bug in a store");
        store.throwing(good, bug);
        failed(cdb, out, room, sense, bug);
    }

    private void failed(String cdb, int out, int room, String sense, Throwable cause) {
        var answer = initiator.send(0, Initiator.bytes(cdb), 16, TaskAttribute.SIMPLE, room, new byte[out]);
        assertEquals(sense, answer.senseHex());
        assertEquals(0, answer.data().length);
        assertEquals(room, answer.dataInResidual());
        assertSame(cause, initiator.task.failure().orElseThrow());
    }

    @Test
    void failedStopDoesNotStop() {
        store.failing(0, new IOException("gone"));
        initiator.send(0, "1B 00 00 00 00 00");
        initiator.send(0, "00").good();
        assertTrue(initiator.task.failure().isEmpty());
    }

    @Test
    void busyStore() {
        store.failing(0, new StoreBusyException("full"));
        Initiator.Answer answer = initiator.send(0, READ, 1024);
        assertEquals(ScsiStatus.BUSY, answer.status());
        assertEquals(0, answer.sense().length);
        assertEquals(1024, answer.residual());
    }

    @Test
    void answersThatComeLater() {
        Held held = new Held("28 08 00000010 00 0002 00", 700);
        store.waiting.remove().completed();
        assertEquals(List.of("flush", "held", "read 8192 512", "held"), calls());
        store.waiting.remove().completed();
        assertEquals(0, held.done.size());
        store.waiting.remove().completed();
        assertEquals(List.of(ScsiStatus.GOOD), held.done);
        assertEquals(700, held.task.dataInLength());
        assertEquals(-324, held.task.residual());
    }

    @Test
    void failureThatComesLater() {
        Held held = new Held(READ, 1024);
        store.waiting.remove().failed(new IOException("late"));
        assertEquals(List.of(ScsiStatus.CHECK_CONDITION), held.done);
        assertEquals(0, held.task.dataInLength());
    }

    @Test
    void aStoreThatAnswersTwiceIsTold() {
        Held held = new Held(READ, 1024);
        StoreCompletion answer = store.waiting.remove();
        answer.completed();
        assertThrows(IllegalStateException.class, answer::completed);
        assertThrows(IllegalStateException.class, () -> answer.failed(new IOException("again")));
        assertEquals(List.of(ScsiStatus.GOOD), held.done);
    }

    @Test
    void aTaskIsNotTakenTwice() {
        Held held = new Held(READ, 1024);
        assertThrows(IllegalStateException.class, () -> held.begin("00"));
        assertThrows(IllegalStateException.class, () -> held.execute(1024));
        store.waiting.remove().completed();
        assertThrows(IllegalStateException.class, () -> held.execute(1024));
        assertEquals(ScsiTask.Phase.COMPLETE, held.begin("00"));
        assertThrows(IllegalStateException.class, () -> held.execute(0));
    }

    @Test
    void aBufferOfAnotherLengthIsRefused() {
        Held held = new Held(READ, 1024);
        store.waiting.remove().completed();
        held.begin(READ);
        assertThrows(IllegalArgumentException.class, () -> held.execute(1023));
        assertThrows(IllegalArgumentException.class, () -> held.execute(1025));
        held.execute(1024);
        store.waiting.remove().completed();
        assertEquals(List.of(ScsiStatus.GOOD, ScsiStatus.GOOD), held.done);
    }

    /** A read whose store operations wait for the test. */
    private final class Held {
        final ScsiTask task = new ScsiTask();
        final List<Integer> done = new ArrayList<>();
        private final DeviceServer server = new DeviceServer(Map.of(0, Units.over(store.holding())));
        private final int room;

        Held(String cdb, int room) {
            this.room = room;
            begin(cdb);
            execute(room);
        }

        ScsiTask.Phase begin(String cdb) {
            MemorySegment memory = MemorySegment.ofArray(java.util.Arrays.copyOf(Initiator.bytes(cdb), 16));
            return server.begin(task, new Nexus(1, 2, 3, 4), 0, memory, 0, 16, TaskAttribute.SIMPLE, room, 0);
        }

        void execute(int length) {
            server.execute(task, MemorySegment.ofArray(new byte[length]), finished -> done.add(finished.status()));
        }
    }
}
