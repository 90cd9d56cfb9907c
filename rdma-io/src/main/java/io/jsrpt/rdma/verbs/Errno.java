package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** Error numbers: each thread has its own buffer that calls leave theirs in. */
final class Errno {
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int ENODEV = 19;
    static final int EINVAL = 22;
    static final int ENODATA = 61;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = LAYOUT.varHandle(PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> BUFFER =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LAYOUT));
    private static final MethodHandle STRERROR = Libraries.c(
        "strerror", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

    private Errno() {}

    /** Where this thread's calls leave their error number. */
    static MemorySegment buffer() {
        return BUFFER.get();
    }

    /** The error number of this thread's last call that failed. */
    static int last() {
        return (int) ERRNO.get(buffer(), 0L);
    }

    /** The C library's words for an error number. */
    static String text(int errno) {
        try {
            return Raw.string((long) STRERROR.invokeExact(errno), 200);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** An exception that names the call and the error. */
    static RdmaException failed(String what, int errno) {
        return new RdmaException(what + ": " + text(errno) + " (error " + errno + ")");
    }
}
