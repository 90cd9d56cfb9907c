package io.jsrpt.scsi;

import java.util.concurrent.atomic.LongAdder;

/** What log pages tell of a unit, since it was made. Any thread. */
final class UnitCounters {
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
    private final LongAdder readErrors = new LongAdder();
    private final LongAdder writeErrors = new LongAdder();
    private final LongAdder starts = new LongAdder();

    /** A READ takes bytes from the store. */
    void reads(long bytes) {
        bytesRead.add(bytes);
    }

    /** A WRITE gives bytes to the store. */
    void writes(long bytes) {
        bytesWritten.add(bytes);
    }

    /** A command failed in the store. */
    void failed(boolean writing) {
        (writing ? writeErrors : readErrors).increment();
    }

    /** The unit was started after a stop. */
    void started() {
        starts.increment();
    }

    long bytesRead() {
        return bytesRead.sum();
    }

    long bytesWritten() {
        return bytesWritten.sum();
    }

    long readErrors() {
        return readErrors.sum();
    }

    long writeErrors() {
        return writeErrors.sum();
    }

    long starts() {
        return starts.sum();
    }
}
