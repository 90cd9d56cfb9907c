package io.jsrpt.scsi;

import io.jsrpt.store.BlockStore;
import io.jsrpt.store.ExtentCompletion;
import io.jsrpt.store.MemoryStore;
import io.jsrpt.store.StoreCompletion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A store in memory that writes down its calls and whose answers the test gives: held back, failed, or thrown. */
final class ScriptedStore implements BlockStore {
    final List<String> calls = new ArrayList<>();
    /** Operations that wait for an answer. */
    final Queue<StoreCompletion> waiting = new ArrayDeque<>();
    private final MemoryStore memory = new MemoryStore((long) Units.BLOCKS * Units.BLOCK, Units.BLOCK);
    private final boolean thin;
    private boolean holding;
    private int untilFailure = Integer.MAX_VALUE;
    private Throwable failure = new IllegalStateException("never");
    private boolean thrown;

    ScriptedStore() {
        this(false);
    }

    ScriptedStore(boolean thin) {
        this.thin = thin;
    }

    /** Operations are answered by the test from now on, over {@link #waiting}. */
    ScriptedStore holding() {
        holding = true;
        return this;
    }

    /** Operations are answered at once again. */
    void answering() {
        holding = false;
    }

    /** The operation after {@code more} others fails, and all after it. */
    ScriptedStore failing(int more, Throwable cause) {
        untilFailure = more;
        failure = cause;
        return this;
    }

    /** As {@link #failing}, but the call throws. */
    ScriptedStore throwing(int more, RuntimeException cause) {
        thrown = true;
        return failing(more, cause);
    }

    private boolean fails(StoreCompletion completion) {
        if (untilFailure-- > 0) {
            return false;
        }
        if (thrown) {
            throw (RuntimeException) failure;
        }
        completion.failed(failure);
        return true;
    }

    private StoreCompletion held(StoreCompletion completion) {
        if (!holding) {
            return completion;
        }
        waiting.add(completion);
        return new StoreCompletion() {
            @Override
            public void completed() {
                calls.add("held");
            }

            @Override
            public void failed(Throwable cause) {
                throw new AssertionError(cause);
            }
        };
    }

    @Override
    public int blockSize() {
        return memory.blockSize();
    }

    @Override
    public long blockCount() {
        return memory.blockCount();
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, MemorySegment into, StoreCompletion completion) {
        calls.add("read " + offset + " " + into.byteSize());
        if (!fails(completion)) {
            memory.read(offset, into, held(completion));
        }
    }

    @Override
    public void write(long offset, MemorySegment from, boolean forceUnitAccess, StoreCompletion completion) {
        calls.add("write " + offset + " " + from.byteSize() + (forceUnitAccess ? " forced" : ""));
        if (!fails(completion)) {
            memory.write(offset, from, forceUnitAccess, held(completion));
        }
    }

    @Override
    public boolean thin() {
        return thin;
    }

    @Override
    public void unmap(long offset, long length, boolean forceUnitAccess, StoreCompletion completion) {
        calls.add("unmap " + offset + " " + length + (forceUnitAccess ? " forced" : ""));
        if (!fails(completion)) {
            memory.unmap(offset, length, forceUnitAccess, held(completion));
        }
    }

    @Override
    public void extents(long offset, int most, ExtentCompletion completion) {
        calls.add("extents " + offset + " " + most);
        memory.extents(offset, most, completion);
    }

    @Override
    public void flush(StoreCompletion completion) {
        calls.add("flush");
        if (!fails(completion)) {
            memory.flush(held(completion));
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
