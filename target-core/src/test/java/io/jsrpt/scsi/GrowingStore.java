package io.jsrpt.scsi;

import io.jsrpt.store.BlockStore;
import io.jsrpt.store.MemoryStore;
import io.jsrpt.store.StoreCompletion;
import java.lang.foreign.MemorySegment;

/** A store that tells whatever size the test wants. */
record GrowingStore(MemoryStore memory, long[] blocks) implements BlockStore {
    @Override
    public int blockSize() {
        return memory.blockSize();
    }

    @Override
    public long blockCount() {
        return blocks[0];
    }

    @Override
    public boolean readOnly() {
        return false;
    }

    @Override
    public void read(long offset, MemorySegment into, StoreCompletion completion) {
        memory.read(offset, into, completion);
    }

    @Override
    public void write(long offset, MemorySegment from, boolean forceUnitAccess, StoreCompletion completion) {
        memory.write(offset, from, forceUnitAccess, completion);
    }

    @Override
    public void flush(StoreCompletion completion) {
        memory.flush(completion);
    }

    @Override
    public void close() {
        memory.close();
    }
}
