package io.jsrpt.testing;

import io.jsrpt.store.BlockStore;
import io.jsrpt.store.StoreCompletion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/** A store whose operations end when the test says so. It touches their memory then, which fails when it is freed. */
public final class SimStore implements BlockStore {
    private final ArrayDeque<Operation> operations = new ArrayDeque<>();
    private volatile long blocks = 4096;

    private record Operation(MemorySegment memory, boolean read, StoreCompletion completion) {}

    /** The store has so many blocks from now on. */
    public void resize(long blockCount) {
        blocks = blockCount;
    }

    /** How many operations are under way. */
    public synchronized int underWay() {
        return operations.size();
    }

    /**
     * Ends the oldest operation.
     *
     * @param well whether it succeeds
     * @return false when there was none
     */
    public boolean end(boolean well) {
        Operation operation = take();
        if (operation == null) {
            return false;
        }
        if (operation.read) {
            operation.memory.fill((byte) 0x5a);
        } else if (operation.memory.byteSize() > 0) {
            operation.memory.get(ValueLayout.JAVA_BYTE, operation.memory.byteSize() - 1);
        }
        if (well) {
            operation.completion.completed();
        } else {
            operation.completion.failed(new IOException("simulated"));
        }
        return true;
    }

    private synchronized Operation take() {
        return operations.poll();
    }

    private synchronized void add(Operation operation) {
        operations.add(operation);
    }

    @Override
    public int blockSize() {
        return 512;
    }

    @Override
    public long blockCount() {
        return blocks;
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, MemorySegment into, StoreCompletion completion) {
        add(new Operation(into, true, completion));
    }

    @Override
    public void write(long offset, MemorySegment from, boolean forceUnitAccess, StoreCompletion completion) {
        add(new Operation(from, false, completion));
    }

    @Override
    public void flush(StoreCompletion completion) {
        add(new Operation(MemorySegment.NULL, false, completion));
    }

    @Override
    public void close() {
        if (underWay() != 0) {
            throw new IllegalStateException("closed with operations under way");
        }
    }
}
