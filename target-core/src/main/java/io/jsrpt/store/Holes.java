package io.jsrpt.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Holes in a file: system calls of 64-bit Linux that Java has no methods for ({@code fallocate(2)}, {@code lseek(2)}).
 * Has a file descriptor of its own. Any thread may call.
 */
final class Holes implements AutoCloseable {
    private static final int O_RDWR_CLOEXEC = 0x8_0002;
    private static final int FALLOC_FL_KEEP_SIZE = 0x01;
    private static final int FALLOC_FL_PUNCH_HOLE = 0x02;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int EINTR = 4;
    private static final int ENXIO = 6;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final int descriptor;

    private Holes(int descriptor) {
        this.descriptor = descriptor;
    }

    /**
     * For a regular file that can have holes; empty where the system, or the file's file system, has no such calls.
     * Changes nothing in the file.
     */
    static Optional<Holes> open(Path path) {
        boolean linux = System.getProperty("os.name").equals("Linux") && ValueLayout.ADDRESS.byteSize() == 8;
        if (!linux || !Files.isRegularFile(path)) {
            return Optional.empty();
        }
        int descriptor;
        try (Arena arena = Arena.ofConfined()) {
            descriptor = (int) call(arena, Calls.OPEN, arena.allocateFrom(path.toString()), O_RDWR_CLOEXEC);
        } catch (IOException e) {
            return Optional.empty();
        }
        Holes holes = new Holes(descriptor);
        try {
            long size = Files.size(path);
            // behind the end, where there is nothing to lose
            holes.punch(size, 4096);
            holes.next(0, SEEK_HOLE);
            return Optional.of(holes);
        } catch (IOException e) {
            holes.close();
            return Optional.empty();
        }
    }

    /** Takes the space of a range away; it reads as zeros afterwards. The file keeps its size. */
    void punch(long offset, long length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            call(arena, Calls.FALLOCATE, descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
        }
    }

    /** The first byte at or after a place that has space taken for it; -1 when there is none up to the end. */
    long nextData(long from) throws IOException {
        return next(from, SEEK_DATA);
    }

    /** The first byte at or after a place that has none; at the latest the end of the file. */
    long nextHole(long from) throws IOException {
        return next(from, SEEK_HOLE);
    }

    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            call(arena, Calls.CLOSE, descriptor);
        } catch (IOException e) {
            throw new IllegalStateException("closing a descriptor that nothing was written by", e);
        }
    }

    private long next(long from, int whence) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return call(arena, Calls.LSEEK, descriptor, from, whence);
        } catch (CallException e) {
            if (e.errno == ENXIO) {
                return -1;
            }
            throw e;
        }
    }

    /** Calls again after a signal. */
    private static long call(Arena arena, MethodHandle function, Object... arguments) throws IOException {
        MemorySegment state = arena.allocate(STATE);
        Object[] all = new Object[arguments.length + 1];
        all[0] = state;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        while (true) {
            long result;
            try {
                result = ((Number) function.invokeWithArguments(all)).longValue();
            } catch (Throwable e) {
                throw new AssertionError("a call of the C library does not throw", e);
            }
            if (result >= 0) {
                return result;
            }
            int errno = (int) ERRNO.get(state, 0L);
            if (errno != EINTR || function == Calls.CLOSE) {
                throw new CallException(errno);
            }
        }
    }

    /** An error that the system gave. */
    static final class CallException extends IOException {
        private static final long serialVersionUID = 1L;
        private final int errno;

        CallException(int errno) {
            super("error number " + errno);
            this.errno = errno;
        }
    }

    /** Linked when first needed, and not at all where {@link #open} has said no before. */
    private static final class Calls {
        static final MethodHandle OPEN = handle("open", FunctionDescriptor.of(ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS, ValueLayout.JAVA_INT), Linker.Option.firstVariadicArg(2));
        static final MethodHandle FALLOCATE = handle("fallocate", FunctionDescriptor.of(ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        static final MethodHandle LSEEK = handle("lseek", FunctionDescriptor.of(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        static final MethodHandle CLOSE = handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT));

        private static MethodHandle handle(String name, FunctionDescriptor descriptor, Linker.Option... options) {
            Linker linker = Linker.nativeLinker();
            Linker.Option[] all = new Linker.Option[options.length + 1];
            all[0] = Linker.Option.captureCallState("errno");
            System.arraycopy(options, 0, all, 1, options.length);
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, all);
        }
    }
}
