package io.jsrpt.store;

import java.lang.foreign.MemorySegment;

/**
 * The blocks behind a logical unit.
 *
 * <p>Each call starts one operation and returns; its {@link StoreCompletion} is called exactly once, from within the
 * call when the answer is at hand, else later from any thread. Operations may overlap and end in any order; of writes
 * that overlap each other in time and range, either may win. The segment belongs to the store until the completion is
 * called, and must not be touched after. A call must not block its caller: a store whose medium blocks hands the work
 * to threads of its own.
 *
 * <p>Offsets and lengths are in bytes, multiples of {@link #blockSize}, and inside the store: the device server has
 * checked that. Methods may be called from any thread.
 */
public interface BlockStore extends AutoCloseable {
    /** The logical block length in bytes, a power of two of at least 512. */
    int blockSize();

    /** The number of logical blocks, at least 1. It may grow while the store is open. */
    long blockCount();

    /** Whether writes are refused. */
    boolean readOnly();

    /** Reads {@code into.byteSize()} bytes from {@code offset}. */
    void read(long offset, MemorySegment into, StoreCompletion completion);

    /**
     * Writes {@code from} at {@code offset}.
     *
     * @param forceUnitAccess when true, the completion comes only once the bytes are on stable storage
     */
    void write(long offset, MemorySegment from, boolean forceUnitAccess, StoreCompletion completion);

    /** Brings every write that was completed before this call to stable storage. */
    void flush(StoreCompletion completion);

    /**
     * Whether space is taken only for what is written, and can be given back with {@link #unmap}. The same for as long
     * as the store is open.
     */
    default boolean thin() {
        return false;
    }

    /**
     * Gives space back as far as the medium can; all of the range reads as zeros afterwards. Only of a {@link #thin}
     * store.
     *
     * @param offset where the range begins, in bytes
     * @param length in bytes
     * @param forceUnitAccess when true, the completion comes only once this is on stable storage
     */
    default void unmap(long offset, long length, boolean forceUnitAccess, StoreCompletion completion) {
        completion.failed(new UnsupportedOperationException("the store is not thin"));
    }

    /**
     * Finds out for which parts space is taken. Only of a {@link #thin} store.
     *
     * @param offset where the first part begins, in bytes
     * @param most how many parts are wanted at most, at least 1
     */
    default void extents(long offset, int most, ExtentCompletion completion) {
        completion.failed(new UnsupportedOperationException("the store is not thin"));
    }

    /** Releases the store, after the operations under way have ended. Idempotent. */
    @Override
    void close();
}
