package io.jsrpt.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Which system calls a file store makes, and what it does when they fall short or fail. */
class FileStoreCallsTest {
    private static final int SIZE = 64 << 10;

    private final FakeMedium medium = new FakeMedium(SIZE);
    private final FileStore store = new FileStore("fake", medium, SIZE, 512, false, 1, 2);

    private Answer read(long offset, byte[] into) {
        Answer answer = new Answer();
        store.read(offset, MemorySegment.ofArray(into), answer);
        return answer;
    }

    private Answer write(long offset, byte[] from, boolean force) {
        Answer answer = new Answer();
        store.write(offset, MemorySegment.ofArray(from), force, answer);
        return answer;
    }

    private Answer flush() {
        Answer answer = new Answer();
        store.flush(answer);
        return answer;
    }

    @Test
    void onlyForcedWritesAndFlushesReachStableStorage() throws InterruptedException {
        write(512, new byte[1024], false).good();
        read(512, new byte[1024]).good();
        assertEquals(List.of("write 512 1024", "read 512 1024"), medium.calls);
        write(0, new byte[512], true).good();
        assertEquals(List.of("write 0 512", "force"), medium.calls.subList(2, 4));
        flush().good();
        assertEquals("force", medium.calls.get(4));
    }

    @Test
    void answersComeFromAThreadOfTheStore() throws InterruptedException {
        Thread thread = read(0, new byte[512]).good();
        assertNotEquals(Thread.currentThread(), thread);
        assertTrue(thread.isDaemon());
        assertEquals("store-fake-0", thread.getName());
    }

    @Test
    void shortTransfersGoOn() throws InterruptedException {
        medium.most = 100;
        byte[] data = new byte[1024];
        new Random(1).nextBytes(data);
        write(512, data, false).good();
        assertEquals(11, medium.calls.size());
        byte[] into = new byte[1024];
        read(512, into).good();
        assertEquals("read 1512 24", medium.calls.getLast());
        assertArrayEquals(data, into);
    }

    @Test
    void aShrunkenFileFails() throws InterruptedException {
        medium.end = 700;
        var read = assertInstanceOf(MediumErrorException.class, read(512, new byte[512]).cause());
        assertEquals("the store fake was made shorter while open, cannot read at byte 700: null", read.getMessage());
        assertEquals(700, read.offset());
        assertInstanceOf(EOFException.class, read.getCause());
        var write = assertInstanceOf(MediumErrorException.class, write(512, new byte[512], false).cause());
        assertEquals(700, write.offset());
    }

    @Test
    void failedTransfers() throws InterruptedException {
        medium.failTransfer = true;
        assertEquals("the store fake cannot read at byte 0: injected", read(0, new byte[512]).cause().getMessage());
        assertEquals("the store fake cannot write at byte 0: injected",
            write(0, new byte[512], true).cause().getMessage());
        assertFalse(medium.calls.contains("force"));
        medium.failTransfer = false;
        read(0, new byte[512]).good();
    }

    /** The kernel tells of lost pages once; the store goes on telling. */
    @Test
    void aFailedForceIsNotForgotten() throws InterruptedException {
        write(0, new byte[512], false).good();
        medium.failForce = true;
        assertEquals("injected", flush().cause().getMessage());
        medium.failForce = false;
        assertEquals("injected", flush().cause().getCause().getMessage());
        assertEquals("injected", write(0, new byte[512], true).cause().getCause().getMessage());
        write(0, new byte[512], false).good();
        read(0, new byte[512]).good();
        assertThrows(UncheckedIOException.class, store::close);
        assertEquals("close", medium.calls.getLast());
    }

    @Test
    void moreThanCanWaitIsBusy() throws InterruptedException {
        medium.gate = new CountDownLatch(1);
        Answer running = read(0, new byte[512]);
        Answer first = read(0, new byte[512]);
        Answer second = flush();
        Answer third = write(0, new byte[512], false);
        assertTrue(third.given());
        assertInstanceOf(StoreBusyException.class, third.cause());
        assertInstanceOf(RejectedExecutionException.class, third.cause().getSuppressed()[0]);
        assertFalse(running.given() || first.given() || second.given());
        medium.gate.countDown();
        running.good();
        first.good();
        second.good();
    }

    @Test
    void closingWaitsForWhatIsUnderWay() throws InterruptedException {
        medium.gate = new CountDownLatch(1);
        Answer running = write(0, new byte[512], false);
        Answer waiting = write(512, new byte[512], false);
        Thread closer = new Thread(store::close);
        closer.start();
        awaitWaiting(closer);
        assertFalse(medium.calls.contains("close"));
        Answer late = read(0, new byte[512]);
        assertEquals("the store fake is closed", late.cause().getMessage());
        medium.gate.countDown();
        running.good();
        waiting.good();
        closer.join();
        assertEquals(List.of("write 0 512", "write 512 512", "force", "close"), medium.calls);
        store.close();
        assertEquals(4, medium.calls.size());
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    /** An interrupted thread must not close the file under the others, as it would inside a channel call. */
    @Test
    void interruptedClosing() throws InterruptedException {
        medium.gate = new CountDownLatch(1);
        Answer running = write(0, new byte[512], false);
        boolean[] kept = new boolean[1];
        Thread closer = new Thread(() -> {
            Thread.currentThread().interrupt();
            store.close();
            kept[0] = Thread.currentThread().isInterrupted();
        });
        closer.start();
        awaitWaiting(closer);
        closer.interrupt();
        awaitWaiting(closer);
        medium.gate.countDown();
        closer.join();
        running.good();
        assertTrue(kept[0]);
        assertEquals("close", medium.calls.getLast());
    }

    @Test
    void readOnlyNeverWrites() throws InterruptedException {
        FileStore readOnly = new FileStore("fake", medium, SIZE, 512, true, 1, 2);
        Answer write = new Answer();
        readOnly.write(0, MemorySegment.ofArray(new byte[512]), true, write);
        assertEquals("the store fake is read-only", write.cause().getMessage());
        Answer flush = new Answer();
        readOnly.flush(flush);
        flush.good();
        readOnly.close();
        assertEquals(List.of("close"), medium.calls);
    }
}
