package io.jsrpt.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The system calls that a file store makes, so that tests can count them and make them fail. */
interface Medium extends Closeable {
    /** Reads some bytes at a position; -1 at the end, see {@code FileChannel.read}. */
    int read(ByteBuffer into, long position) throws IOException;

    /** Writes some bytes at a position. */
    int write(ByteBuffer from, long position) throws IOException;

    /** Brings all written data to stable storage. */
    void force() throws IOException;
}
