package io.jsrpt.rdma.roce;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The socket calls of Linux's C library, with their own names, and its numbers and structures for 64-bit x86 and ARM,
 * which agree. A call that fails returns -1; {@link #errno} then tells why.
 *
 * <p>Owner only, but for {@link #signal}: an instance holds the error number of its last call.
 */
final class Linux {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x8_0000;

    static final int SOL_SOCKET = 1;
    static final int SO_SNDBUF = 7;
    static final int SO_RCVBUF = 8;
    static final int SO_SNDBUFFORCE = 32;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_MEMINFO = 55;
    /** In what {@link #SO_MEMINFO} gives: the datagrams that found no room or had a wrong checksum, 32 bits. */
    static final int SK_MEMINFO_DROPS = 8;
    static final int IPPROTO_IP = 0;
    static final int IP_MTU_DISCOVER = 10;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_MTU_DISCOVER = 23;
    static final int IPV6_V6ONLY = 26;
    static final int PMTUDISC_DO = 2;
    static final int IPPROTO_UDP = 17;
    static final int UDP_NO_CHECK6_TX = 101;
    static final int UDP_NO_CHECK6_RX = 102;

    static final int MSG_DONTWAIT = 0x40;
    static final short POLLIN = 1;
    static final short POLLOUT = 4;
    static final int EFD_NONBLOCK = 0x800;
    static final int EFD_CLOEXEC = 0x8_0000;

    static final int EINTR = 4;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EFAULT = 14;
    static final int ENOTSOCK = 88;
    static final int EMSGSIZE = 90;
    static final int ENOBUFS = 105;

    /** {@code struct iovec}. */
    static final MemoryLayout IOVEC = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("iov_base"), ValueLayout.JAVA_LONG.withName("iov_len"));

    /** {@code struct mmsghdr}: a {@code struct msghdr}, and the length of the message that came or went. */
    static final MemoryLayout MMSGHDR = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("msg_name"),
            ValueLayout.JAVA_INT.withName("msg_namelen"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_LONG.withName("msg_iov"),
            ValueLayout.JAVA_LONG.withName("msg_iovlen"),
            ValueLayout.JAVA_LONG.withName("msg_control"),
            ValueLayout.JAVA_LONG.withName("msg_controllen"),
            ValueLayout.JAVA_INT.withName("msg_flags"),
            MemoryLayout.paddingLayout(4),
            ValueLayout.JAVA_INT.withName("msg_len"),
            MemoryLayout.paddingLayout(4));

    /** {@code struct pollfd}. */
    static final MemoryLayout POLLFD = MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("fd"),
            ValueLayout.JAVA_SHORT.withName("events"),
            ValueLayout.JAVA_SHORT.withName("revents"));

    /** {@code struct timespec}. */
    static final MemoryLayout TIMESPEC = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("tv_sec"), ValueLayout.JAVA_LONG.withName("tv_nsec"));

    private static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final long ERRNO = CAPTURED.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private final MemorySegment captured;
    private final MemorySegment integer;

    /** Only where {@link #unavailable} is empty. */
    Linux() {
        Arena arena = Arena.ofAuto();
        captured = arena.allocate(CAPTURED);
        integer = arena.allocate(8, 8);
    }

    /** Why these calls cannot be made on this host, for a person; empty when they can. */
    static Optional<String> unavailable() {
        String system = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        if (!system.equals("Linux") || !(machine.equals("amd64") || machine.equals("aarch64"))) {
            return Optional.of("the structures are known for Linux on amd64 and aarch64, not for " + system + " on "
                    + machine);
        }
        try {
            return Calls.CLOSE == null ? Optional.of("no close()") : Optional.empty();
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            // no native access for this program, or a C library without these functions
            return Optional.of("the C library cannot be called: " + Optional.ofNullable(e.getCause()).orElse(e));
        }
    }

    /** The error number of the last call that returned -1. */
    int errno() {
        return captured.get(ValueLayout.JAVA_INT, ERRNO);
    }

    int socket(int domain, int type, int protocol) {
        try {
            // SAFETY: no memory but the error number's
            return (int) Calls.SOCKET.invokeExact(captured, domain, type, protocol);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int bind(int fd, MemorySegment address) {
        try {
            // SAFETY: reads the address only, within its size, during the call
            return (int) Calls.BIND.invokeExact(captured, fd, address, (int) address.byteSize());
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int setsockopt(int fd, int level, int name, int value) {
        integer.set(ValueLayout.JAVA_INT, 0, value);
        try {
            // SAFETY: reads four bytes of `integer`, which is ours
            return (int) Calls.SETSOCKOPT.invokeExact(captured, fd, level, name, integer, Integer.BYTES);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The option's value, or -1. */
    int getsockopt(int fd, int level, int name) {
        integer.set(ValueLayout.JAVA_INT, 4, Integer.BYTES);
        int result;
        try {
            // SAFETY: writes four bytes of `integer`, and the length in the four after them
            result = (int) Calls.GETSOCKOPT.invokeExact(captured, fd, level, name, integer, integer.asSlice(4));
        } catch (Throwable e) {
            throw unexpected(e);
        }
        return result == 0 ? integer.get(ValueLayout.JAVA_INT, 0) : -1;
    }

    /** The option's value into memory that begins with room for it and ends with an int for the length; 0, or -1. */
    int getsockopt(int fd, int level, int name, MemorySegment value) {
        long room = value.byteSize() - Integer.BYTES;
        value.set(ValueLayout.JAVA_INT, room, (int) room);
        try {
            // SAFETY: writes at most `room` bytes of `value`, and the length in the four after them
            return (int) Calls.GETSOCKOPT.invokeExact(captured, fd, level, name, value, value.asSlice(room));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Receives without waiting. The headers, and what they point to, must be alive until it returns. */
    int recvmmsg(int fd, MemorySegment headers, int count) {
        try {
            // SAFETY: writes the slots and addresses that `headers` points to; the caller owns and keeps them
            return (int) Calls.RECVMMSG.invokeExact(
                    captured, fd, headers, count, MSG_DONTWAIT, MemorySegment.NULL);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Sends without waiting. The headers, and what they point to, must be alive until it returns. */
    int sendmmsg(int fd, MemorySegment headers, int count) {
        try {
            // SAFETY: reads the slots and addresses that `headers` points to; the caller owns and keeps them
            return (int) Calls.SENDMMSG.invokeExact(captured, fd, headers, count, MSG_DONTWAIT);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int ppoll(MemorySegment fds, long count, MemorySegment timeout) {
        try {
            // SAFETY: reads and writes `fds`, which holds `count` structures, during the call
            return (int) Calls.PPOLL.invokeExact(captured, fds, count, timeout, MemorySegment.NULL);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int eventfd(int initial, int flags) {
        try {
            // SAFETY: no memory but the error number's
            return (int) Calls.EVENTFD.invokeExact(captured, initial, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Takes an event descriptor's count; whether there was one does not matter. */
    void drain(int eventfd) {
        try {
            // SAFETY: writes at most eight bytes of `integer`, which is ours
            long unused = (long) Calls.READ.invokeExact(captured, eventfd, integer, 8L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Adds one to an event descriptor's count. From any thread; a count that is full wakes its reader as well. */
    static void signal(int eventfd) {
        try {
            // SAFETY: reads eight bytes of a constant
            long unused = (long) Calls.WRITE.invokeExact(eventfd, Calls.ONE, 8L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    int close(int fd) {
        try {
            // SAFETY: no memory but the error number's; the caller owns the descriptor and forgets it
            return (int) Calls.CLOSE.invokeExact(captured, fd);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** What the C library says of an error number. */
    static String strerror(int errno) {
        try {
            // SAFETY: the C library's own string, of a length that it ends itself; copied before another call
            MemorySegment text = (MemorySegment) Calls.STRERROR.invokeExact(errno);
            return text.getString(0) + " (errno " + errno + ")";
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static AssertionError unexpected(Throwable e) {
        return new AssertionError("a native call throws nothing", e);
    }

    /** The handles; apart, so that looking them up fails where they are first asked for and can be told. */
    private static final class Calls {
        static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
        static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
        static final AddressLayout POINTER = ValueLayout.ADDRESS;

        static final MethodHandle SOCKET = find("socket", INT, INT, INT, INT);
        static final MethodHandle BIND = find("bind", INT, INT, POINTER, INT);
        static final MethodHandle SETSOCKOPT = find("setsockopt", INT, INT, INT, INT, POINTER, INT);
        static final MethodHandle GETSOCKOPT = find("getsockopt", INT, INT, INT, INT, POINTER, POINTER);
        static final MethodHandle RECVMMSG = find("recvmmsg", INT, INT, POINTER, INT, INT, POINTER);
        static final MethodHandle SENDMMSG = find("sendmmsg", INT, INT, POINTER, INT, INT);
        static final MethodHandle PPOLL = find("ppoll", INT, POINTER, LONG, POINTER, POINTER);
        static final MethodHandle EVENTFD = find("eventfd", INT, INT, INT);
        static final MethodHandle READ = find("read", LONG, INT, POINTER, LONG);
        static final MethodHandle CLOSE = find("close", INT, INT);
        static final MethodHandle WRITE = Linker.nativeLinker()
                .downcallHandle(symbol("write"), FunctionDescriptor.of(LONG, INT, POINTER, LONG));
        // SAFETY: strerror returns a string that ends with a zero; none is as long as 256 bytes
        static final AddressLayout STRING =
                POINTER.withTargetLayout(MemoryLayout.sequenceLayout(256, ValueLayout.JAVA_BYTE));
        static final MethodHandle STRERROR =
                Linker.nativeLinker().downcallHandle(symbol("strerror"), FunctionDescriptor.of(STRING, INT));

        static final MemorySegment ONE = Arena.global().allocateFrom(LONG, 1L);

        private Calls() {}

        private static MethodHandle find(String name, ValueLayout result, MemoryLayout... arguments) {
            return Linker.nativeLinker()
                    .downcallHandle(
                            symbol(name),
                            FunctionDescriptor.of(result, arguments),
                            Linker.Option.captureCallState("errno"));
        }

        private static MemorySegment symbol(String name) {
            return Linker.nativeLinker().defaultLookup().findOrThrow(name);
        }
    }
}
