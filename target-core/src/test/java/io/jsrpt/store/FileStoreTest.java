package io.jsrpt.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file store on real files. */
class FileStoreTest {
    private static final int SIZE = 1 << 20;

    @TempDir
    private Path directory;
    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("disk.img");
    }

    private FileStore create(long size) throws StoreException {
        return FileStore.open(file, OptionalLong.of(size), 512, false, 2);
    }

    private FileStore open(boolean readOnly) throws StoreException {
        return FileStore.open(file, OptionalLong.empty(), 512, readOnly, 2);
    }

    private static void write(BlockStore store, long offset, byte[] from) throws InterruptedException {
        Answer answer = new Answer();
        store.write(offset, MemorySegment.ofArray(from), false, answer);
        answer.good();
    }

    private static byte[] read(BlockStore store, long offset, int length) throws InterruptedException {
        byte[] into = new byte[length];
        Answer answer = new Answer();
        store.read(offset, MemorySegment.ofArray(into), answer);
        answer.good();
        return into;
    }

    private String refusal(OptionalLong size, int blockSize, boolean readOnly) {
        return assertThrows(StoreException.class, () -> FileStore.open(file, size, blockSize, readOnly, 1))
            .getMessage();
    }

    @Test
    void createdSparse() throws Exception {
        long size = 1L << 36;
        try (FileStore store = create(size)) {
            assertEquals(size / 512, store.blockCount());
            assertEquals(size, Files.size(file));
            byte[] data = "at the very end".repeat(40).substring(0, 512).getBytes(StandardCharsets.US_ASCII);
            write(store, size - 512, data);
            assertArrayEquals(data, read(store, size - 512, 512));
            assertArrayEquals(new byte[4096], read(store, size / 2, 4096));
        }
    }

    @Test
    void reopened() throws Exception {
        byte[] data = new byte[8192];
        new Random(1).nextBytes(data);
        try (FileStore store = create(SIZE)) {
            write(store, 4096, data);
        }
        try (FileStore store = open(false)) {
            assertEquals(SIZE / 512, store.blockCount());
            assertArrayEquals(data, read(store, 4096, data.length));
        }
        try (FileStore store = create(SIZE)) {
            assertArrayEquals(data, read(store, 4096, data.length));
        }
        try (FileStore store = open(true)) {
            assertTrue(store.readOnly());
            assertArrayEquals(data, read(store, 4096, data.length));
            Answer answer = new Answer();
            store.write(0, MemorySegment.ofArray(new byte[512]), false, answer);
            assertEquals("the store " + file + " is read-only", answer.cause().getMessage());
        }
    }

    @Test
    void nativeMemory() throws Exception {
        try (FileStore store = create(SIZE); Arena arena = Arena.ofShared()) {
            MemorySegment out = arena.allocate(4096);
            out.fill((byte) 9);
            Answer written = new Answer();
            store.write(512, out, true, written);
            written.good();
            MemorySegment in = arena.allocate(4096);
            Answer read = new Answer();
            store.read(512, in, read);
            read.good();
            assertEquals(-1, in.mismatch(out));
        }
    }

    /** Many operations at once on ranges of their own. */
    @Test
    void concurrent() throws Exception {
        int count = 200;
        try (FileStore store = create(SIZE); Arena arena = Arena.ofShared()) {
            MemorySegment out = arena.allocate(SIZE);
            byte[] data = new byte[SIZE];
            new Random(2).nextBytes(data);
            MemorySegment.copy(data, 0, out, ValueLayout.JAVA_BYTE, 0, SIZE);
            List<Answer> answers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Answer answer = new Answer();
                store.write(i * 4096L, out.asSlice(i * 4096L, 4096), i % 50 == 0, answer);
                answers.add(answer);
            }
            for (Answer answer : answers) {
                answer.good();
            }
            assertEquals(-1, out.asSlice(0, count * 4096L)
                .mismatch(MemorySegment.ofArray(read(store, 0, count * 4096))));
        }
    }

    @Test
    void noFileAndNoSize() {
        assertEquals("there is no file " + file + ", and no size to create it with",
            refusal(OptionalLong.empty(), 512, false));
        assertEquals("there is no file " + file + ", and no size to create it with",
            refusal(OptionalLong.of(SIZE), 512, true));
        assertFalse(Files.exists(file));
    }

    @Test
    void noDirectory() {
        file = directory.resolve("none/disk.img");
        String message = refusal(OptionalLong.of(SIZE), 512, false);
        assertTrue(message.startsWith("cannot create " + file + " with " + SIZE + " bytes: "), message);
    }

    @Test
    void aDirectory() {
        file = directory;
        assertEquals(directory + " is a directory, not a file or block device",
            refusal(OptionalLong.empty(), 512, false));
    }

    @Test
    void anotherSize() throws IOException {
        Files.write(file, new byte[1024]);
        assertEquals(file + " has 1024 bytes, but 2048 are asked for", refusal(OptionalLong.of(2048), 512, false));
        assertEquals(1024, Files.size(file));
    }

    @Test
    void wrongSizes() throws IOException {
        assertEquals("the store " + file + " of 1000 bytes is not a whole number of blocks of 512 bytes",
            refusal(OptionalLong.of(1000), 512, false));
        assertEquals("the store " + file + " of 100 bytes is smaller than one block of 512 bytes",
            refusal(OptionalLong.of(100), 512, false));
        assertEquals("the store " + file + " cannot have blocks of 1000 bytes: a block size is a power of two from 512"
            + " to 1048576", refusal(OptionalLong.of(1000), 1000, false));
        assertFalse(Files.exists(file));
        Files.write(file, new byte[513]);
        assertEquals("the store " + file + " of 513 bytes is not a whole number of blocks of 512 bytes",
            refusal(OptionalLong.empty(), 512, false));
        Files.write(file, new byte[0]);
        assertEquals("the store " + file + " of 0 bytes is smaller than one block of 512 bytes",
            refusal(OptionalLong.empty(), 512, false));
    }

    @Test
    void notTwiceInOneProgram() throws Exception {
        try (FileStore store = create(SIZE)) {
            assertEquals(file + " is already open as a store of this program",
                refusal(OptionalLong.empty(), 512, false));
            assertEquals(file + " is already open as a store of this program",
                refusal(OptionalLong.empty(), 512, true));
            write(store, 0, new byte[512]);
        }
        open(false).close();
    }

    @Test
    void notInTwoPrograms() throws Exception {
        create(SIZE).close();
        try (Holder holder = new Holder(file.toString())) {
            assertEquals("open 2048", holder.firstLine);
            assertEquals(file + " is in use by another program", refusal(OptionalLong.empty(), 512, false));
            assertEquals(file + " is in use by another program", refusal(OptionalLong.empty(), 512, true));
        }
        try (Holder holder = new Holder(file.toString(), "read-only")) {
            assertEquals("open 2048", holder.firstLine);
            assertEquals(file + " is in use by another program", refusal(OptionalLong.empty(), 512, false));
            open(true).close();
        }
        open(false).close();
    }

    /** A {@link LockHolder} in a program of its own; it ends when its input is closed. */
    private static final class Holder implements AutoCloseable {
        final String firstLine;
        private final Process process;

        Holder(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xshare:auto",
                "-cp", System.getProperty("java.class.path"), LockHolder.class.getName()));
            command.addAll(List.of(arguments));
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            firstLine = process.inputReader().readLine();
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            assertEquals(0, process.onExit().join().exitValue());
        }
    }
}
