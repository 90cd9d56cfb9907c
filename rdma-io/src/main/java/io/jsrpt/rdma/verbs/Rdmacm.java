package io.jsrpt.rdma.verbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code librdmacm} that are used, with their own names. They return 0, or a pointer; after anything
 * else {@link Errno#last} tells why.
 *
 * <p>SAFETY, for all of them: as in {@link Ibverbs}.
 */
final class Rdmacm {
    static final int PS_TCP = 0x106;

    static final int EVENT_ADDR_RESOLVED = 0;
    static final int EVENT_ADDR_ERROR = 1;
    static final int EVENT_ROUTE_RESOLVED = 2;
    static final int EVENT_ROUTE_ERROR = 3;
    static final int EVENT_CONNECT_REQUEST = 4;
    static final int EVENT_CONNECT_RESPONSE = 5;
    static final int EVENT_CONNECT_ERROR = 6;
    static final int EVENT_UNREACHABLE = 7;
    static final int EVENT_REJECTED = 8;
    static final int EVENT_ESTABLISHED = 9;
    static final int EVENT_DISCONNECTED = 10;
    static final int EVENT_DEVICE_REMOVAL = 11;
    static final int EVENT_ADDR_CHANGE = 14;
    static final int EVENT_TIMEWAIT_EXIT = 15;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final MethodHandle CREATE_EVENT_CHANNEL = Libraries.function(
        Libraries.CM, "rdma_create_event_channel", FunctionDescriptor.of(LONG), Libraries.ERRNO);
    private static final MethodHandle DESTROY_EVENT_CHANNEL = Libraries.function(
        Libraries.CM, "rdma_destroy_event_channel", FunctionDescriptor.ofVoid(LONG));
    private static final MethodHandle CREATE_ID = number("rdma_create_id", LONG, LONG, LONG, INT);
    private static final MethodHandle DESTROY_ID = number("rdma_destroy_id", LONG);
    private static final MethodHandle BIND_ADDR = number("rdma_bind_addr", LONG, LONG);
    private static final MethodHandle LISTEN = number("rdma_listen", LONG, INT);
    private static final MethodHandle RESOLVE_ADDR = number("rdma_resolve_addr", LONG, LONG, LONG, INT);
    private static final MethodHandle RESOLVE_ROUTE = number("rdma_resolve_route", LONG, INT);
    private static final MethodHandle CONNECT = number("rdma_connect", LONG, LONG);
    private static final MethodHandle ESTABLISH = number("rdma_establish", LONG);
    private static final MethodHandle ACCEPT = number("rdma_accept", LONG, LONG);
    private static final MethodHandle REJECT = number("rdma_reject", LONG, LONG, ValueLayout.JAVA_BYTE);
    private static final MethodHandle DISCONNECT = number("rdma_disconnect", LONG);
    private static final MethodHandle NOTIFY = number("rdma_notify", LONG, INT);
    private static final MethodHandle GET_CM_EVENT = number("rdma_get_cm_event", LONG, LONG);
    private static final MethodHandle ACK_CM_EVENT = number("rdma_ack_cm_event", LONG);
    private static final MethodHandle INIT_QP_ATTR = number("rdma_init_qp_attr", LONG, LONG, LONG);

    private Rdmacm() {}

    private static MethodHandle number(String name, ValueLayout... arguments) {
        return Libraries.function(Libraries.CM, name, FunctionDescriptor.of(INT, arguments), Libraries.ERRNO);
    }

    /** Links everything, or throws a {@link LinkageError}. */
    static void link() {
        if (CREATE_ID == null) {
            throw new UnsatisfiedLinkError(Libraries.CM);
        }
    }

    static long createEventChannel() {
        try {
            return (long) CREATE_EVENT_CHANNEL.invokeExact(Errno.buffer());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void destroyEventChannel(long channel) {
        try {
            DESTROY_EVENT_CHANNEL.invokeExact(channel);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Puts the new id's address into {@code id}. */
    static int createId(long channel, MemorySegment id) {
        try {
            return (int) CREATE_ID.invokeExact(Errno.buffer(), channel, id.address(), 0L, PS_TCP);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until all of the id's events that were taken are acknowledged. */
    static int destroyId(long id) {
        try {
            return (int) DESTROY_ID.invokeExact(Errno.buffer(), id);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int bindAddr(long id, MemorySegment address) {
        try {
            return (int) BIND_ADDR.invokeExact(Errno.buffer(), id, address.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int listen(long id, int backlog) {
        try {
            return (int) LISTEN.invokeExact(Errno.buffer(), id, backlog);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int resolveAddr(long id, MemorySegment from, MemorySegment to, int millis) {
        try {
            return (int) RESOLVE_ADDR.invokeExact(Errno.buffer(), id, from.address(), to.address(), millis);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int resolveRoute(long id, int millis) {
        try {
            return (int) RESOLVE_ROUTE.invokeExact(Errno.buffer(), id, millis);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int connect(long id, MemorySegment parameters) {
        try {
            return (int) CONNECT.invokeExact(Errno.buffer(), id, parameters.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int establish(long id) {
        try {
            return (int) ESTABLISH.invokeExact(Errno.buffer(), id);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int accept(long id, MemorySegment parameters) {
        try {
            return (int) ACCEPT.invokeExact(Errno.buffer(), id, parameters.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Rejects for the consumer's own reason, the only one that the kernel lets a program give. */
    static int reject(long id, MemorySegment privateData) {
        try {
            return (int) REJECT.invokeExact(
                Errno.buffer(), id, privateData.address(), (byte) privateData.byteSize());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int disconnect(long id) {
        try {
            return (int) DISCONNECT.invokeExact(Errno.buffer(), id);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Tells the connection manager of an asynchronous event of the id's queue pair. */
    static int notify(long id, int event) {
        try {
            return (int) NOTIFY.invokeExact(Errno.buffer(), id, event);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int getCmEvent(long channel, MemorySegment event) {
        try {
            return (int) GET_CM_EVENT.invokeExact(Errno.buffer(), channel, event.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int ackCmEvent(long event) {
        try {
            return (int) ACK_CM_EVENT.invokeExact(Errno.buffer(), event);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Fills in what the queue pair needs for the state that {@code attributes} names, and the mask of it. */
    static int initQpAttr(long id, MemorySegment attributes, MemorySegment mask) {
        try {
            return (int) INIT_QP_ATTR.invokeExact(Errno.buffer(), id, attributes.address(), mask.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
