package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The few calls of the C library that waiting for the libraries' file descriptors needs. */
final class Libc {
    static final short POLLIN = 1;

    private static final int EFD_NONBLOCK_CLOEXEC = 0x8_0800;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final MethodHandle POLL =
        Libraries.c("poll", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG, INT), Libraries.ERRNO);
    private static final MethodHandle EVENTFD =
        Libraries.c("eventfd", FunctionDescriptor.of(INT, INT, INT), Libraries.ERRNO);
    private static final MethodHandle READ =
        Libraries.c("read", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG), Libraries.ERRNO);
    private static final MethodHandle WRITE =
        Libraries.c("write", FunctionDescriptor.of(LONG, INT, ValueLayout.ADDRESS, LONG), Libraries.ERRNO);
    private static final MethodHandle CLOSE = Libraries.c("close", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle FCNTL = Libraries.c(
        "fcntl", FunctionDescriptor.of(INT, INT, INT, INT), Linker.Option.firstVariadicArg(2), Libraries.ERRNO);

    private Libc() {}

    /** Waits without limit; the number of descriptors with events, or a negative error number. */
    static int poll(MemorySegment descriptors, long count) {
        try {
            int ready = (int) POLL.invokeExact(Errno.buffer(), descriptors, count, -1);
            return ready < 0 ? -Errno.last() : ready;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int eventfd() throws RdmaException {
        int made;
        try {
            made = (int) EVENTFD.invokeExact(Errno.buffer(), 0, EFD_NONBLOCK_CLOEXEC);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        if (made < 0) {
            throw Errno.failed("eventfd", Errno.last());
        }
        return made;
    }

    /** Reads what is there, if anything. */
    static long read(int descriptor, MemorySegment into) {
        try {
            return (long) READ.invokeExact(Errno.buffer(), descriptor, into, into.byteSize());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long write(int descriptor, MemorySegment from) {
        try {
            return (long) WRITE.invokeExact(Errno.buffer(), descriptor, from, from.byteSize());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void close(int descriptor) {
        try {
            int _ = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Lets reads of this descriptor return at once when there is nothing. */
    static void nonBlocking(int descriptor) throws RdmaException {
        int failed;
        try {
            int flags = (int) FCNTL.invokeExact(Errno.buffer(), descriptor, F_GETFL, 0);
            failed = flags;
            if (flags >= 0) {
                failed = (int) FCNTL.invokeExact(Errno.buffer(), descriptor, F_SETFL, flags | O_NONBLOCK);
            }
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        if (failed < 0) {
            throw Errno.failed("fcntl", Errno.last());
        }
    }
}
