package io.jsrpt.testing;

import io.jsrpt.store.BlockStore;
import io.jsrpt.store.StoreCompletion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A store in memory whose operations end at once, or, while it holds them, when the test says so. A held operation
 * touches its segment only when it ends, so that memory that was freed too early is noticed.
 */
public final class ManualStore implements BlockStore {
    private static final int BLOCK = 512;

    private final byte[] bytes;
    private final Deque<Operation> held = new ArrayDeque<>();
    private final List<String> log = new ArrayList<>();
    private boolean holding;

    /** An operation that has not ended. */
    public final class Operation {
        private final Runnable effect;
        private final StoreCompletion completion;
        private final String name;

        private Operation(String name, Runnable effect, StoreCompletion completion) {
            this.name = name;
            this.effect = effect;
            this.completion = completion;
        }

        /** Does it and ends it, on the calling thread. */
        public void complete() {
            effect.run();
            completion.completed();
        }

        /** Ends it without doing it. */
        public void fail() {
            completion.failed(new IOException("failed by the test: " + name));
        }
    }

    /** A store of zeros. */
    public ManualStore(int blocks) {
        bytes = new byte[blocks * BLOCK];
    }

    /** What the store holds; the test's to look at and to change. */
    public byte[] bytes() {
        return bytes;
    }

    /** From now on operations wait for the test, or do not. */
    public void hold(boolean now) {
        holding = now;
    }

    /** Operations that wait. */
    public int heldCount() {
        return held.size();
    }

    /** Takes the oldest operation that waits. */
    public Operation take() {
        return held.remove();
    }

    /** Completes all operations that wait, in order, also those that come meanwhile. */
    public void completeAll() {
        while (!held.isEmpty()) {
            take().complete();
        }
    }

    /** The operations so far, such as {@code write 512+1024}. */
    public List<String> log() {
        return List.copyOf(log);
    }

    @Override
    public int blockSize() {
        return BLOCK;
    }

    @Override
    public long blockCount() {
        return bytes.length / BLOCK;
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, MemorySegment into, StoreCompletion completion) {
        start("read " + offset + "+" + into.byteSize(), completion, () -> MemorySegment.copy(
                bytes, (int) offset, into, ValueLayout.JAVA_BYTE, 0, (int) into.byteSize()));
    }

    @Override
    public void write(long offset, MemorySegment from, boolean forceUnitAccess, StoreCompletion completion) {
        start("write " + offset + "+" + from.byteSize(), completion, () -> MemorySegment.copy(
                from, ValueLayout.JAVA_BYTE, 0, bytes, (int) offset, (int) from.byteSize()));
    }

    @Override
    public void flush(StoreCompletion completion) {
        start("flush", completion, () -> { });
    }

    @Override
    public void close() {
        held.clear();
    }

    private void start(String name, StoreCompletion completion, Runnable effect) {
        log.add(name);
        Operation operation = new Operation(name, effect, completion);
        if (holding) {
            held.add(operation);
        } else {
            operation.complete();
        }
    }
}
