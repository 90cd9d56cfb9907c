package io.jsrpt.store;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store in a file or on a block device, through the page cache. Stable storage is reached with {@code fdatasync}:
 * after a forced write, and on a flush. File calls block, so they are made by a few daemon threads of the store's own;
 * what is waiting for them is bounded, and beyond the bound an operation fails with {@link StoreBusyException}.
 *
 * <p>On Linux a regular file gives space back: {@link #unmap} punches holes.
 *
 * <p>The file is locked while the store is open: writable stores exclude each other and read-only ones, in this program
 * and in others that lock files.
 */
public final class FileStore implements BlockStore {
    private static final int WAITING = 16_384;
    private static final System.Logger LOG = System.getLogger(FileStore.class.getName());

    private final String name;
    private final Medium medium;
    private final int blockSize;
    /** The largest that the file has been; a multiple of the block length. */
    private final AtomicLong size;
    private final boolean readOnly;
    private final ThreadPoolExecutor workers;
    private volatile IOException lost;
    private boolean closed;

    /**
     * A store over an open medium.
     *
     * @param threads how many threads make file calls
     * @param waiting how many operations may wait for them
     */
    FileStore(String name, Medium medium, long size, int blockSize, boolean readOnly, int threads, int waiting) {
        this.name = name;
        this.medium = medium;
        this.size = new AtomicLong(size);
        this.blockSize = blockSize;
        this.readOnly = readOnly;
        this.workers = new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waiting), named(name));
    }

    /**
     * Opens a file or block device.
     *
     * @param path the file; with a size, a missing one is created sparse
     * @param size in bytes, a multiple of {@code blockSize}; empty to take the file's own, and needed to create it. A
     *     file that is there must have this size
     * @param blockSize in bytes, a power of two of at least 512
     * @param readOnly refuses writes and never creates a file
     * @param threads how many threads make file calls, at least 1
     * @throws StoreException when the file cannot be opened, locked or created, or has a wrong size; the message names
     *     the file and says why
     */
    public static FileStore open(Path path, OptionalLong size, int blockSize, boolean readOnly, int threads)
            throws StoreException {
        if (threads < 1) {
            throw new StoreException("the store " + path + " needs at least one thread");
        }
        if (size.isPresent()) {
            checkGeometry(path, size.getAsLong(), blockSize);
            if (!readOnly) {
                FileMedium.createIfMissing(path, size.getAsLong());
            }
        }
        FileMedium medium = FileMedium.open(path, readOnly);
        try {
            if (size.isPresent() && size.getAsLong() != medium.size()) {
                throw new StoreException(path + " has " + medium.size() + " bytes, but " + size.getAsLong()
                    + " are asked for");
            }
            checkGeometry(path, medium.size(), blockSize);
        } catch (StoreException e) {
            try {
                medium.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
        return new FileStore(path.toString(), medium, medium.size(), blockSize, readOnly, threads, WAITING);
    }

    private static void checkGeometry(Path path, long size, int blockSize) throws StoreException {
        var wrong = Geometry.check(size, blockSize);
        if (wrong.isPresent()) {
            throw new StoreException("the store " + path + " " + wrong.get());
        }
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> Thread.ofPlatform().daemon().name("store-" + name + "-" + count.getAndIncrement())
            .unstarted(task);
    }

    @Override
    public int blockSize() {
        return blockSize;
    }

    /** Looks how long the file is now; a file that has become shorter keeps the number, and its lost blocks fail. */
    @Override
    public long blockCount() {
        try {
            long now = medium.length() & -blockSize;
            return size.accumulateAndGet(now, Math::max) / blockSize;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the length of the store " + name + " cannot be read", e);
            return size.get() / blockSize;
        }
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public void read(long offset, MemorySegment into, StoreCompletion completion) {
        submit(() -> readFully(into.asByteBuffer(), offset), completion);
    }

    @Override
    public void write(long offset, MemorySegment from, boolean forceUnitAccess, StoreCompletion completion) {
        submit(() -> {
            if (readOnly) {
                throw new IOException("the store " + name + " is read-only");
            }
            writeFully(from.asByteBuffer(), offset);
            if (forceUnitAccess) {
                force();
            }
        }, completion);
    }

    @Override
    public boolean thin() {
        return medium.sparse();
    }

    @Override
    public void unmap(long offset, long length, boolean forceUnitAccess, StoreCompletion completion) {
        submit(() -> {
            try {
                medium.punch(offset, length);
            } catch (IOException e) {
                throw failure("cannot give back", offset, e);
            }
            if (forceUnitAccess) {
                force();
            }
        }, completion);
    }

    @Override
    public void extents(long offset, int most, ExtentCompletion completion) {
        List<Extent> found = new ArrayList<>();
        submit(() -> collect(found, offset, most), new StoreCompletion() {
            @Override
            public void completed() {
                completion.found(found);
            }

            @Override
            public void failed(Throwable cause) {
                completion.failed(cause);
            }
        });
    }

    /** A block is mapped when any byte of it is. */
    private void collect(List<Extent> found, long offset, int most) throws IOException {
        long at = offset;
        long end = size.get();
        while (at < end) {
            long data = medium.nextData(at);
            long hole = data < 0 || data > end ? end : data & -blockSize;
            boolean mapped = hole <= at;
            long next = mapped ? Math.min(end, (medium.nextHole(data) + blockSize - 1) & -blockSize) : hole;
            Extent last = found.isEmpty() ? null : found.getLast();
            if (last != null && last.mapped() == mapped) {
                found.set(found.size() - 1, new Extent(last.offset(), next - last.offset(), mapped));
            } else if (found.size() == most) {
                return;
            } else {
                found.add(new Extent(at, next - at, mapped));
            }
            at = next;
        }
    }

    @Override
    public void flush(StoreCompletion completion) {
        submit(readOnly ? () -> { } : this::force, completion);
    }

    /**
     * Waits for the operations under way, brings everything to stable storage and releases the file. Not to be called
     * from a completion of this store, for which it would wait.
     *
     * @throws UncheckedIOException when the data could not be brought to stable storage; the file is released all the
     *     same
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        workers.shutdown();
        // by a thread that nobody interrupts: an interrupt during a call on the file would close it first
        FutureTask<Void> release = new FutureTask<>(this::release);
        Thread.ofPlatform().daemon().name("store-" + name + "-close").start(release);
        awaitUninterrupted(release);
    }

    private Void release() throws IOException, InterruptedException {
        try (medium) {
            boolean ended = workers.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            if (ended && !readOnly) {
                force();
            }
        }
        return null;
    }

    private void awaitUninterrupted(FutureTask<Void> release) {
        boolean interrupted = false;
        while (true) {
            try {
                release.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                String message = "closing the store " + name;
                throw new UncheckedIOException(message, new IOException(message, e.getCause()));
            } finally {
                if (interrupted && release.isDone()) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void submit(FileOperation operation, StoreCompletion completion) {
        try {
            workers.execute(() -> run(operation, completion));
        } catch (RejectedExecutionException e) {
            IOException cause = workers.isShutdown()
                ? new StoreAwayException("the store " + name + " is closed")
                : new StoreBusyException("the store " + name + " has too many operations waiting");
            cause.addSuppressed(e);
            completion.failed(cause);
        }
    }

    private static void run(FileOperation operation, StoreCompletion completion) {
        Throwable failure = null;
        try {
            operation.run();
        } catch (Throwable e) {
            // an error too is an answer: without one the command would never end
            failure = e;
        }
        if (failure == null) {
            completion.completed();
        } else {
            completion.failed(failure);
        }
    }

    private void readFully(ByteBuffer into, long offset) throws IOException {
        while (into.hasRemaining()) {
            long at = offset + into.position();
            int count;
            try {
                count = medium.read(into, at);
            } catch (IOException e) {
                throw failure("cannot read", at, e);
            }
            if (count < 0) {
                throw failure("was made shorter while open, cannot read", at, new EOFException());
            }
        }
    }

    private void writeFully(ByteBuffer from, long offset) throws IOException {
        while (from.hasRemaining()) {
            long at = offset + from.position();
            int count;
            try {
                count = medium.write(from, at);
            } catch (IOException e) {
                throw failure("cannot write", at, e);
            }
            if (count <= 0) {
                throw failure("takes no more bytes, cannot write", at, new EOFException());
            }
        }
    }

    /** What a failed call on the medium means: the system's reasons are told apart by their text only. */
    private IOException failure(String what, long at, IOException e) {
        String reason = String.valueOf(e.getMessage());
        String message = "the store " + name + " " + what + " at byte " + at + ": " + reason;
        if (reason.contains("No space left on device") || reason.contains("Disk quota exceeded")) {
            return new StoreFullException(message, e);
        }
        if (e instanceof ClosedChannelException || reason.contains("No such device")) {
            return new StoreAwayException(message, e);
        }
        return new MediumErrorException(message, at, e);
    }

    /**
     * Reaches stable storage. When that fails once, it fails from then on: the kernel reports a lost page to one
     * {@code fsync} only, so a later success would tell an initiator that its lost data is safe.
     */
    private void force() throws IOException {
        IOException earlier = lost;
        if (earlier != null) {
            throw new IOException("the store " + name + " lost written data before", earlier);
        }
        try {
            medium.force();
        } catch (IOException e) {
            lost = e;
            throw e;
        }
    }

    /** The blocking part of an operation. */
    private interface FileOperation {
        void run() throws IOException;
    }
}
