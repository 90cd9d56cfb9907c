package io.jsrpt.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryStoreTest {
    private static final int CHUNK = 256 << 10;

    @Test
    void geometry() {
        try (MemoryStore store = new MemoryStore(1 << 20, 4096)) {
            assertEquals(4096, store.blockSize());
            assertEquals(256, store.blockCount());
            assertTrue(!store.readOnly());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 512", "511, 512", "513, 512", "-512, 512", "4096, 256", "4096, 513", "4096, 0", "4194304, 2097152"})
    void wrongGeometry(long size, int blockSize) {
        assertThrows(IllegalArgumentException.class, () -> new MemoryStore(size, blockSize));
    }

    @Test
    void unwrittenReadsAsZero() throws InterruptedException {
        try (MemoryStore store = new MemoryStore(4 * CHUNK, 512)) {
            byte[] into = new byte[2 * CHUNK];
            Arrays.fill(into, (byte) 7);
            read(store, CHUNK / 2, into);
            assertArrayEquals(new byte[2 * CHUNK], into);
            assertEquals(0, store.allocated());
        }
    }

    @Test
    void acrossChunks() throws InterruptedException {
        byte[] data = new byte[2 * CHUNK];
        new Random(1).nextBytes(data);
        try (MemoryStore store = new MemoryStore(4 * CHUNK, 512)) {
            write(store, CHUNK / 2, data);
            assertEquals(3 * CHUNK, store.allocated());
            byte[] into = new byte[4 * CHUNK];
            read(store, 0, into);
            byte[] expected = new byte[4 * CHUNK];
            System.arraycopy(data, 0, expected, CHUNK / 2, data.length);
            assertArrayEquals(expected, into);
        }
    }

    @Test
    void aBigStoreCostsWhatIsInIt() throws InterruptedException {
        try (MemoryStore store = new MemoryStore(1L << 46, 512)) {
            long last = (1L << 46) - 512;
            byte[] data = new byte[512];
            Arrays.fill(data, (byte) 3);
            write(store, last, data);
            byte[] into = new byte[512];
            read(store, last, into);
            assertArrayEquals(data, into);
            assertTrue(store.allocated() <= 1L << 27, () -> store.allocated() + " bytes");
        }
    }

    @Test
    void closedStoreFails() throws InterruptedException {
        MemoryStore store = new MemoryStore(1 << 20, 512);
        write(store, 0, new byte[512]);
        store.close();
        store.close();
        for (long offset : new long[] {0, 512 << 10}) {
            Answer read = new Answer();
            store.read(offset, MemorySegment.ofArray(new byte[512]), read);
            assertInstanceOf(IOException.class, read.cause());
            Answer write = new Answer();
            store.write(offset, MemorySegment.ofArray(new byte[512]), true, write);
            assertInstanceOf(IOException.class, write.cause());
        }
        Answer flush = new Answer();
        store.flush(flush);
        assertInstanceOf(IOException.class, flush.cause());
    }

    /** Many threads fill the same chunks for the first time: each block has what its thread wrote. */
    @Test
    void concurrentFirstWrites() throws InterruptedException {
        try (MemoryStore store = new MemoryStore(64 * CHUNK, 512)) {
            IntStream.range(0, 1024).parallel().forEach(i -> {
                byte[] data = new byte[512];
                Arrays.fill(data, (byte) i);
                store.write(offset(i), MemorySegment.ofArray(data), false, new Answer());
            });
            for (int i = 0; i < 1024; i++) {
                byte[] into = new byte[512];
                read(store, offset(i), into);
                assertEquals((byte) i, into[0]);
                assertEquals((byte) i, into[511]);
            }
            assertEquals(64 * CHUNK, store.allocated());
        }
    }

    private static long offset(int i) {
        return (long) (i % 64) * CHUNK + i / 64 * 512L;
    }

    private static void read(BlockStore store, long offset, byte[] into) throws InterruptedException {
        Answer answer = new Answer();
        store.read(offset, MemorySegment.ofArray(into), answer);
        assertEquals(Thread.currentThread(), answer.good());
    }

    private static void write(BlockStore store, long offset, byte[] from) throws InterruptedException {
        Answer answer = new Answer();
        store.write(offset, MemorySegment.ofArray(from), false, answer);
        answer.good();
    }
}
