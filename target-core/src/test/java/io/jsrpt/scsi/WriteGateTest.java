package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.store.FileStore;
import io.jsrpt.store.MemoryStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read and then write are one step to the other writes of the same blocks. */
class WriteGateTest {
    private static final String WRITE_AT_10 = "2A 00 00000010 00 0001 00";
    private static final String WRITE_AT_20 = "2A 00 00000020 00 0001 00";
    private static final String OR_AT_10 = "8B 00 0000000000000010 00000001 00 00";
    private static final String OR_AT_20 = "8B 00 0000000000000020 00000001 00 00";
    private static final String READ_AT_10 = "28 00 00000010 00 0001 00";

    private final ScriptedStore store = new ScriptedStore().holding();
    private final DeviceServer server = new DeviceServer(Map.of(0, Units.over(store)));
    private final List<String> done = new ArrayList<>();

    private void send(String name, String cdb) {
        ScsiTask task = new ScsiTask();
        byte[] bytes = Arrays.copyOf(Initiator.bytes(cdb), 16);
        int out = cdb.startsWith("28") ? 0 : Units.BLOCK;
        server.begin(task, new Nexus(1, 2, 3, 4), 0, MemorySegment.ofArray(bytes), 0, 16, TaskAttribute.SIMPLE,
            Units.BLOCK - out, out);
        server.execute(task, MemorySegment.ofArray(new byte[Units.BLOCK]), finished -> done.add(name));
    }

    private void answer() {
        store.waiting.remove().completed();
    }

    private List<String> calls() {
        List<String> calls = store.calls.stream().filter(call -> !call.equals("held")).toList();
        store.calls.clear();
        return calls;
    }

    @Test
    void anExclusiveCommandWaitsForWritesThatAreUnderWay() {
        send("write", WRITE_AT_10);
        send("or", OR_AT_10);
        assertEquals(List.of("write 8192 512"), calls());
        answer();
        assertEquals(List.of("read 8192 512"), calls());
        answer();
        assertEquals(List.of("write 8192 512"), calls());
        answer();
        assertEquals(List.of("write", "or"), done);
    }

    @Test
    void writesToTheSameBlocksWaitForIt() {
        send("or", OR_AT_10);
        send("same", WRITE_AT_10);
        send("other", WRITE_AT_20);
        send("read", READ_AT_10);
        assertEquals(List.of("read 8192 512", "write 16384 512", "read 8192 512"), calls());
        answer();
        assertEquals(List.of("write 8192 512"), calls(), "the second step of the command");
        answer();
        answer();
        assertEquals(List.of(), calls());
        answer();
        assertEquals(List.of("write 8192 512"), calls(), "what waited");
        answer();
        assertEquals(List.of("other", "read", "or", "same"), done);
    }

    @Test
    void exclusiveCommandsOfOtherBlocksGoTogether() {
        send("first", OR_AT_10);
        send("second", OR_AT_20);
        send("third", OR_AT_10);
        assertEquals(List.of("read 8192 512", "read 16384 512"), calls());
        for (int i = 0; i < 4; i++) {
            answer();
        }
        assertEquals(List.of("first", "second"), done);
        answer();
        answer();
        assertEquals(List.of("first", "second", "third"), done);
    }

    /** The gate opens again: the next write is not listed, and the next command finds it all the same. */
    @Test
    void opensAgain() {
        anExclusiveCommandWaitsForWritesThatAreUnderWay();
        done.clear();
        anExclusiveCommandWaitsForWritesThatAreUnderWay();
    }

    /** A store that answers at once, and many that wait: a loop, not a stack. */
    @Test
    void manyThatWait() {
        send("or", OR_AT_10);
        for (int i = 0; i < 20_000; i++) {
            send("write", WRITE_AT_10);
        }
        store.answering();
        answer();
        assertEquals(20_001, done.size());
        assertEquals("or", done.getFirst());
    }

    /**
     * Sessions count in a block by COMPARE AND WRITE until it went well, others write and unmap around it: nothing that
     * was counted is lost.
     */
    @Test
    void nothingIsLost(@TempDir Path directory) throws IOException, InterruptedException {
        try (MemoryStore memory = new MemoryStore(1 << 20, Units.BLOCK);
                FileStore file = FileStore.open(directory.resolve("disk"), OptionalLong.of(1 << 20), Units.BLOCK,
                    false, 4)) {
            count(Units.over(memory), 3000);
            count(Units.over(file), 150);
        }
    }

    private static void count(LogicalUnit unit, int each) throws InterruptedException {
        DeviceServer shared = new DeviceServer(Map.of(0, unit));
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch counted = new CountDownLatch(4);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    for (int n = 0; n < each; n++) {
                        increment(shared);
                    }
                } catch (Throwable e) {
                    failures.add(e);
                } finally {
                    counted.countDown();
                }
            }));
        }
        threads.add(Thread.ofPlatform().start(() -> {
            byte[] blocks = new byte[2 * Units.BLOCK];
            while (counted.getCount() > 0) {
                run(shared, "2A 00 00000011 00 0002 00", blocks);
                run(shared, "41 08 00000013 00 0002 00", new byte[Units.BLOCK]);
            }
        }));
        for (Thread thread : threads) {
            thread.join();
        }
        assertTrue(failures.isEmpty(), failures.toString());
        byte[] block = new byte[Units.BLOCK];
        run(shared, READ_AT_10, block);
        assertEquals(4L * each, ByteBuffer.wrap(block).getLong());
    }

    private static void increment(DeviceServer server) {
        byte[] both = new byte[2 * Units.BLOCK];
        ScsiTask task;
        do {
            byte[] now = new byte[Units.BLOCK];
            run(server, READ_AT_10, now);
            System.arraycopy(now, 0, both, 0, Units.BLOCK);
            ByteBuffer.wrap(both).putLong(Units.BLOCK, ByteBuffer.wrap(now).getLong() + 1);
            task = run(server, "89 00 0000000000000010 000000 01 00 00", both);
        } while (task.status() != ScsiStatus.GOOD);
    }

    private static ScsiTask run(DeviceServer server, String cdb, byte[] data) {
        ScsiTask task = new ScsiTask();
        byte[] bytes = Arrays.copyOf(Initiator.bytes(cdb), 16);
        boolean in = cdb.startsWith("28");
        server.begin(task, new Nexus(1, 2, 3, 4), 0, MemorySegment.ofArray(bytes), 0, 16, TaskAttribute.SIMPLE,
            in ? data.length : 0, in ? 0 : data.length);
        Semaphore ended = new Semaphore(0);
        server.execute(task, MemorySegment.ofArray(data), finished -> ended.release());
        ended.acquireUninterruptibly();
        return task;
    }
}
