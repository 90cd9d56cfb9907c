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

    /** The length in bytes now. */
    long length() throws IOException;

    /** Whether {@link #punch} and the search for holes work. */
    boolean sparse();

    /** Makes a range read as zeros and takes its space away. */
    void punch(long position, long length) throws IOException;

    /** The first byte at or after a position that has space taken for it; -1 when there is none up to the end. */
    long nextData(long position) throws IOException;

    /** The first byte at or after a position that has none, at the latest the end. */
    long nextHole(long position) throws IOException;

    /** Brings all written data to stable storage. */
    void force() throws IOException;
}
