package io.jsrpt.store;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/** A locked file or block device, with the calls for holes where there are such. */
record FileMedium(FileChannel channel, long size, Optional<Holes> holes) implements Medium {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);
    private static final Set<OpenOption> READ_WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    /** Opens and locks what is at the path. */
    static FileMedium open(Path path, boolean readOnly) throws StoreException {
        FileChannel channel = openChannel(path, readOnly);
        // before the lock: a descriptor of the file that is closed takes the program's lock with it
        Optional<Holes> holes = readOnly ? Optional.empty() : Holes.open(path);
        try {
            lock(channel, path, readOnly);
            return new FileMedium(channel, channel.size(), holes);
        } catch (IOException e) {
            StoreException failure = e instanceof StoreException already
                ? already : new StoreException("cannot find the size of " + path + ": " + reason(e), e);
            try {
                new FileMedium(channel, 0, holes).close();
            } catch (IOException closing) {
                failure.addSuppressed(closing);
            }
            throw failure;
        }
    }

    /**
     * Makes a sparse file of the given size when there is none at the path. The file and its name are on stable storage
     * when this returns.
     */
    static void createIfMissing(Path path, long size) throws StoreException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            if (file.length() == 0) {
                file.setLength(size);
                file.getChannel().force(true);
            }
        } catch (IOException e) {
            throw new StoreException("cannot create " + path + " with " + size + " bytes: " + reason(e), e);
        }
        Path directory = path.toAbsolutePath().getParent();
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        } catch (IOException e) {
            throw new StoreException("cannot make the name " + path + " durable: " + reason(e), e);
        }
    }

    private static FileChannel openChannel(Path path, boolean readOnly) throws StoreException {
        if (Files.isDirectory(path)) {
            throw new StoreException(path + " is a directory, not a file or block device");
        }
        try {
            return FileChannel.open(path, readOnly ? READ : READ_WRITE);
        } catch (NoSuchFileException e) {
            throw new StoreException("there is no file " + path + ", and no size to create it with", e);
        } catch (IOException e) {
            throw new StoreException("cannot open " + path + (readOnly ? " for reading: " : " for writing: ")
                + reason(e), e);
        }
    }

    /** Readers share, a writer has the file alone. */
    private static void lock(FileChannel channel, Path path, boolean shared) throws StoreException {
        FileLock lock;
        try {
            lock = channel.tryLock(0, Long.MAX_VALUE, shared);
        } catch (OverlappingFileLockException e) {
            throw new StoreException(path + " is already open as a store of this program", e);
        } catch (IOException e) {
            throw new StoreException("cannot lock " + path + ": " + reason(e), e);
        }
        if (lock == null) {
            throw new StoreException(path + " is in use by another program");
        }
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ", " + e.getMessage());
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return channel.read(into, position);
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        return channel.write(from, position);
    }

    @Override
    public void force() throws IOException {
        channel.force(false);
    }

    @Override
    public long length() throws IOException {
        return channel.size();
    }

    @Override
    public boolean sparse() {
        return holes.isPresent();
    }

    @Override
    public void punch(long position, long length) throws IOException {
        holes.orElseThrow().punch(position, length);
    }

    @Override
    public long nextData(long position) throws IOException {
        return holes.orElseThrow().nextData(position);
    }

    @Override
    public long nextHole(long position) throws IOException {
        return holes.orElseThrow().nextHole(position);
    }

    /** Both descriptors together: closing one of them gives up the file's lock. */
    @Override
    public void close() throws IOException {
        channel.close();
        holes.ifPresent(Holes::close);
    }
}
