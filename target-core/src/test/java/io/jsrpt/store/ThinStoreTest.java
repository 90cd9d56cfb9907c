package io.jsrpt.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Giving space back, and finding out what is taken. */
class ThinStoreTest {
    private static final int MIB = 1 << 20;

    private static void write(BlockStore store, long offset, int length) throws InterruptedException {
        byte[] data = new byte[length];
        Arrays.fill(data, (byte) 'a');
        Answer answer = new Answer();
        store.write(offset, MemorySegment.ofArray(data), true, answer);
        answer.good();
    }

    private static void unmap(BlockStore store, long offset, long length) throws InterruptedException {
        Answer answer = new Answer();
        store.unmap(offset, length, true, answer);
        answer.good();
    }

    private static byte[] read(BlockStore store, long offset, int length) throws InterruptedException {
        byte[] data = new byte[length];
        Answer answer = new Answer();
        store.read(offset, MemorySegment.ofArray(data), answer);
        answer.good();
        return data;
    }

    private static List<Extent> extents(BlockStore store, long offset, int most) {
        CompletableFuture<List<Extent>> found = new CompletableFuture<>();
        store.extents(offset, most, new ExtentCompletion() {
            @Override
            public void found(List<Extent> extents) {
                found.complete(extents);
            }

            @Override
            public void failed(Throwable cause) {
                found.completeExceptionally(cause);
            }
        });
        return found.join();
    }

    /** What both kinds of store do. */
    private static void givesSpaceBack(BlockStore store) throws InterruptedException {
        assertTrue(store.thin());
        assertEquals(List.of(new Extent(0, 4 * MIB, false)), extents(store, 0, 10));
        write(store, MIB, 2 * MIB);
        assertEquals(List.of(new Extent(0, MIB, false), new Extent(MIB, 2 * MIB, true),
            new Extent(3 * MIB, MIB, false)), extents(store, 0, 10));
        assertEquals(List.of(new Extent(2 * MIB, MIB, true)), extents(store, 2 * MIB, 1));
        unmap(store, MIB + 512, 1024);
        byte[] expected = new byte[2 * MIB];
        Arrays.fill(expected, (byte) 'a');
        Arrays.fill(expected, 512, 512 + 1024, (byte) 0);
        assertArrayEquals(expected, read(store, MIB, 2 * MIB));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void file(@TempDir Path directory) throws IOException, InterruptedException {
        try (FileStore store = FileStore.open(directory.resolve("disk"), OptionalLong.of(4 * MIB), 512, false, 2)) {
            givesSpaceBack(store);
            unmap(store, 0, 2 * MIB);
            assertEquals(List.of(new Extent(0, 2 * MIB, false), new Extent(2 * MIB, MIB, true)), extents(store, 0, 2));
            unmap(store, 0, 4 * MIB);
            assertEquals(List.of(new Extent(0, 4 * MIB, false)), extents(store, 0, 10));
            assertArrayEquals(new byte[4 * MIB], read(store, 0, 4 * MIB));
        }
        try (FileStore store = FileStore.open(directory.resolve("disk"), OptionalLong.empty(), 512, true, 1)) {
            assertFalse(store.thin(), "read-only");
        }
    }

    /** The lock is there still, although descriptors of the file came and went. */
    @Test
    void lockedStill(@TempDir Path directory) throws IOException, InterruptedException {
        Path path = directory.resolve("disk");
        try (FileStore store = FileStore.open(path, OptionalLong.of(MIB), 512, false, 1)) {
            write(store, 0, 512);
            String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            Process other = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"),
                LockHolder.class.getName(), path.toString()).redirectErrorStream(true).start();
            other.getOutputStream().close();
            String told = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(other.waitFor() != 0, told);
        }
    }

    @Test
    void memory() throws InterruptedException {
        try (MemoryStore store = new MemoryStore(4 * MIB, 512)) {
            givesSpaceBack(store);
            unmap(store, 0, 4 * MIB);
            assertArrayEquals(new byte[4 * MIB], read(store, 0, 4 * MIB));
            assertEquals(2 * MIB, store.allocated());
        }
    }

    /** A file that another program makes longer, by whole and by part of a block, and shorter. */
    @Test
    void aFileThatGrows(@TempDir Path directory) throws IOException, InterruptedException {
        Path path = directory.resolve("disk");
        try (FileStore store = FileStore.open(path, OptionalLong.of(MIB), 512, false, 1);
                FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
            assertEquals(2048, store.blockCount());
            other.write(ByteBuffer.allocate(1), MIB + 512 + 99);
            assertEquals(2049, store.blockCount());
            write(store, MIB, 512);
            other.truncate(512);
            assertEquals(2049, store.blockCount());
            Answer answer = new Answer();
            store.read(MIB, MemorySegment.ofArray(new byte[512]), answer);
            assertEquals(MIB, assertInstanceOf(MediumErrorException.class, answer.cause()).offset());
        }
    }

    /** Blocks of which any byte has space taken are mapped; extents side by side are one. */
    @Test
    void wholeBlocks() {
        FakeMedium medium = new FakeMedium(64 << 10);
        medium.sparse = true;
        medium.edges.add(new long[] {5000, 5100});
        medium.edges.add(new long[] {8192, 12_000});
        medium.edges.add(new long[] {40_960, 65_536});
        try (FileStore store = new FileStore("fake", medium, 64 << 10, 4096, false, 1, 2)) {
            assertEquals(List.of(new Extent(0, 4096, false), new Extent(4096, 8192, true),
                new Extent(12_288, 28_672, false), new Extent(40_960, 24_576, true)), extents(store, 0, 10));
            assertEquals(List.of(new Extent(4096, 8192, true), new Extent(12_288, 28_672, false)),
                extents(store, 4096, 2));
        }
    }

    @Test
    void failures() throws InterruptedException {
        FakeMedium medium = new FakeMedium(64 << 10);
        medium.sparse = true;
        FileStore store = new FileStore("fake", medium, 64 << 10, 4096, false, 1, 2);
        medium.failTransfer = true;
        Answer answer = new Answer();
        store.unmap(8192, 4096, false, answer);
        assertEquals(8192, assertInstanceOf(MediumErrorException.class, answer.cause()).offset());
        medium.reason = "No space left on device";
        assertInstanceOf(StoreFullException.class, written(store));
        medium.reason = "No such device or address";
        assertInstanceOf(StoreAwayException.class, written(store));
        medium.failTransfer = false;
        store.close();
        assertInstanceOf(StoreAwayException.class, written(store));
    }

    private static Throwable written(FileStore store) throws InterruptedException {
        Answer answer = new Answer();
        store.write(0, MemorySegment.ofArray(new byte[4096]), false, answer);
        return answer.cause();
    }
}
