package io.jsrpt.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * A store in native memory, gone when it is closed. Memory is taken in chunks when they are first written, so a big
 * store costs what is in it; what was never written reads as zeros. Every call answers before it returns. Nothing is
 * stable storage here: forced writes and flushes are done at once.
 */
public final class MemoryStore implements BlockStore {
    private static final VarHandle CHUNK = MethodHandles.arrayElementVarHandle(MemorySegment[].class);
    private static final int SMALLEST_CHUNK_SHIFT = 18;
    private static final int MOST_CHUNKS = 1 << 20;
    private static final int ALIGNMENT = 4096;

    private final int blockSize;
    private final long size;
    private final int chunkShift;
    private final MemorySegment[] chunks;
    private final Arena arena = Arena.ofShared();
    private final Object growing = new Object();
    private volatile boolean closed;

    /**
     * An empty store.
     *
     * @param size in bytes, a multiple of {@code blockSize}, at least one block
     * @param blockSize in bytes, a power of two of at least 512
     * @throws IllegalArgumentException when they are not
     */
    public MemoryStore(long size, int blockSize) {
        Geometry.check(size, blockSize).ifPresent(wrong -> {
            throw new IllegalArgumentException("a memory store " + wrong);
        });
        int shift = SMALLEST_CHUNK_SHIFT;
        while (size >>> shift >= MOST_CHUNKS) {
            shift++;
        }
        this.size = size;
        this.blockSize = blockSize;
        this.chunkShift = shift;
        this.chunks = new MemorySegment[(int) (((size - 1) >>> shift) + 1)];
    }

    @Override
    public int blockSize() {
        return blockSize;
    }

    @Override
    public long blockCount() {
        return size / blockSize;
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, MemorySegment into, StoreCompletion completion) {
        Throwable failure = null;
        try {
            copyOut(offset, into);
        } catch (IllegalStateException e) {
            failure = closedOr(e);
        }
        answer(completion, failure);
    }

    @Override
    public void write(long offset, MemorySegment from, boolean forceUnitAccess, StoreCompletion completion) {
        Throwable failure = null;
        try {
            copyIn(offset, from);
        } catch (IllegalStateException e) {
            failure = closedOr(e);
        } catch (OutOfMemoryError e) {
            failure = new StoreFullException("no native memory left for a write at byte " + offset, e);
        }
        answer(completion, failure);
    }

    @Override
    public boolean thin() {
        return true;
    }

    /** Memory once taken is kept until the store is closed. */
    @Override
    public void unmap(long offset, long length, boolean forceUnitAccess, StoreCompletion completion) {
        Throwable failure = null;
        try {
            ensureOpen();
            clear(offset, length);
        } catch (IllegalStateException e) {
            failure = closedOr(e);
        }
        answer(completion, failure);
    }

    @Override
    public void extents(long offset, int most, ExtentCompletion completion) {
        if (closed) {
            completion.failed(new StoreAwayException("the memory store is closed"));
            return;
        }
        List<Extent> found = new ArrayList<>();
        long at = offset;
        while (at < size) {
            boolean mapped = chunk((int) (at >>> chunkShift)) != null;
            long end = nextChunk(at);
            while (end < size && (chunk((int) (end >>> chunkShift)) != null) == mapped) {
                end = nextChunk(end);
            }
            found.add(new Extent(at, end - at, mapped));
            at = found.size() == most ? size : end;
        }
        completion.found(found);
    }

    private long nextChunk(long at) {
        return Math.min(size, (at | mask()) + 1);
    }

    private void clear(long offset, long length) {
        long end = offset + length;
        for (long at = offset; at < end; at = nextChunk(at)) {
            MemorySegment chunk = chunk((int) (at >>> chunkShift));
            if (chunk != null) {
                chunk.asSlice(at & mask(), Math.min(end, nextChunk(at)) - at).fill((byte) 0);
            }
        }
    }

    @Override
    public void flush(StoreCompletion completion) {
        answer(completion, closed ? new StoreAwayException("the memory store is closed") : null);
    }

    @Override
    public void close() {
        synchronized (growing) {
            if (!closed) {
                closed = true;
                arena.close();
            }
        }
    }

    /** How many bytes of native memory the store has taken. */
    public long allocated() {
        long count = 0;
        for (int i = 0; i < chunks.length; i++) {
            if (chunk(i) != null) {
                count++;
            }
        }
        return count << chunkShift;
    }

    private static void answer(StoreCompletion completion, Throwable failure) {
        if (failure == null) {
            completion.completed();
        } else {
            completion.failed(failure);
        }
    }

    /** A closed arena shows as an illegal state; any other illegal state is the caller's segment, and its bug. */
    private IOException closedOr(IllegalStateException e) {
        if (!closed) {
            throw e;
        }
        return new StoreAwayException("the memory store is closed", e);
    }

    private void copyOut(long offset, MemorySegment into) {
        long done = 0;
        while (done < into.byteSize()) {
            long at = offset + done;
            long within = at & mask();
            long length = Math.min(into.byteSize() - done, (1L << chunkShift) - within);
            MemorySegment chunk = chunk((int) (at >>> chunkShift));
            if (chunk == null) {
                ensureOpen();
                into.asSlice(done, length).fill((byte) 0);
            } else {
                MemorySegment.copy(chunk, within, into, done, length);
            }
            done += length;
        }
    }

    private void copyIn(long offset, MemorySegment from) {
        long done = 0;
        while (done < from.byteSize()) {
            long at = offset + done;
            long within = at & mask();
            long length = Math.min(from.byteSize() - done, (1L << chunkShift) - within);
            MemorySegment.copy(from, done, writable((int) (at >>> chunkShift)), within, length);
            done += length;
        }
    }

    private long mask() {
        return (1L << chunkShift) - 1;
    }

    private MemorySegment chunk(int index) {
        return (MemorySegment) CHUNK.getAcquire(chunks, index);
    }

    private MemorySegment writable(int index) {
        MemorySegment chunk = chunk(index);
        return chunk != null ? chunk : grow(index);
    }

    private MemorySegment grow(int index) {
        synchronized (growing) {
            ensureOpen();
            MemorySegment chunk = chunks[index];
            if (chunk == null) {
                chunk = arena.allocate(1L << chunkShift, ALIGNMENT);
                CHUNK.setRelease(chunks, index, chunk);
            }
            return chunk;
        }
    }

    private void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
    }
}
