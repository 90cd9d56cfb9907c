package io.jsrpt.rdma.verbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code libibverbs} that are used, with their own names. Pointers are longs, 0 for none. Functions
 * that return a pointer leave the reason for a 0 in {@link Errno#last}; those that return an int return an error number
 * unless it says otherwise.
 *
 * <p>SAFETY, for all of them: a pointer argument was returned by this library and not yet freed, or points to a
 * structure of {@link Layouts} that is alive during the call; the library keeps no pointer to such a structure.
 */
final class Ibverbs {
    static final int QPS_RESET = 0;
    static final int QPS_INIT = 1;
    static final int QPS_RTR = 2;
    static final int QPS_RTS = 3;
    static final int QPS_ERR = 6;
    static final int QPT_RC = 2;
    static final int QP_STATE = 1;
    static final int WR_RDMA_WRITE = 0;
    static final int WR_SEND = 2;
    static final int WR_RDMA_READ = 4;
    static final int SEND_SIGNALED = 2;
    static final int SEND_SOLICITED = 4;
    static final int ACCESS_LOCAL_WRITE = 1;
    static final int ACCESS_REMOTE_WRITE = 2;
    static final int ACCESS_REMOTE_READ = 4;
    static final int PORT_ACTIVE = 4;
    static final int LINK_LAYER_ETHERNET = 2;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final MethodHandle GET_DEVICE_LIST = pointer("ibv_get_device_list", LONG);
    private static final MethodHandle FREE_DEVICE_LIST = procedure("ibv_free_device_list", LONG);
    private static final MethodHandle GET_DEVICE_NAME = pointer("ibv_get_device_name", LONG);
    private static final MethodHandle OPEN_DEVICE = pointer("ibv_open_device", LONG);
    private static final MethodHandle CLOSE_DEVICE = number("ibv_close_device", LONG);
    private static final MethodHandle QUERY_DEVICE = number("ibv_query_device", LONG, LONG);
    private static final MethodHandle QUERY_PORT = number("ibv_query_port", LONG, ValueLayout.JAVA_BYTE, LONG);
    private static final MethodHandle QUERY_GID = number("ibv_query_gid", LONG, ValueLayout.JAVA_BYTE, INT, LONG);
    private static final MethodHandle QUERY_PKEY = number("ibv_query_pkey", LONG, ValueLayout.JAVA_BYTE, INT, LONG);
    private static final MethodHandle ALLOC_PD = pointer("ibv_alloc_pd", LONG);
    private static final MethodHandle DEALLOC_PD = number("ibv_dealloc_pd", LONG);
    private static final MethodHandle REG_MR = pointer("ibv_reg_mr", LONG, LONG, LONG, INT);
    private static final MethodHandle DEREG_MR = number("ibv_dereg_mr", LONG);
    private static final MethodHandle CREATE_COMP_CHANNEL = pointer("ibv_create_comp_channel", LONG);
    private static final MethodHandle DESTROY_COMP_CHANNEL = number("ibv_destroy_comp_channel", LONG);
    private static final MethodHandle CREATE_CQ = pointer("ibv_create_cq", LONG, INT, LONG, LONG, INT);
    private static final MethodHandle DESTROY_CQ = number("ibv_destroy_cq", LONG);
    private static final MethodHandle GET_CQ_EVENT = number("ibv_get_cq_event", LONG, LONG, LONG);
    private static final MethodHandle ACK_CQ_EVENTS = procedure("ibv_ack_cq_events", LONG, INT);
    private static final MethodHandle CREATE_SRQ = pointer("ibv_create_srq", LONG, LONG);
    private static final MethodHandle DESTROY_SRQ = number("ibv_destroy_srq", LONG);
    private static final MethodHandle CREATE_QP = pointer("ibv_create_qp", LONG, LONG);
    private static final MethodHandle MODIFY_QP = number("ibv_modify_qp", LONG, LONG, INT);
    private static final MethodHandle DESTROY_QP = number("ibv_destroy_qp", LONG);
    private static final MethodHandle GET_ASYNC_EVENT = number("ibv_get_async_event", LONG, LONG);
    private static final MethodHandle ACK_ASYNC_EVENT = procedure("ibv_ack_async_event", LONG);

    // Of the context's function table. Linked once: with the handle a constant, a call is compiled to a plain call.
    private static final MethodHandle POLL_CQ =
        Libraries.tableFunction(FunctionDescriptor.of(INT, LONG, INT, LONG));
    private static final MethodHandle REQ_NOTIFY_CQ = Libraries.tableFunction(FunctionDescriptor.of(INT, LONG, INT));
    private static final MethodHandle POST = Libraries.tableFunction(FunctionDescriptor.of(INT, LONG, LONG, LONG));

    private Ibverbs() {}

    private static MethodHandle pointer(String name, ValueLayout... arguments) {
        return Libraries.function(Libraries.VERBS, name, FunctionDescriptor.of(LONG, arguments), Libraries.ERRNO);
    }

    private static MethodHandle number(String name, ValueLayout... arguments) {
        return Libraries.function(Libraries.VERBS, name, FunctionDescriptor.of(INT, arguments), Libraries.ERRNO);
    }

    private static MethodHandle procedure(String name, ValueLayout... arguments) {
        return Libraries.function(Libraries.VERBS, name, FunctionDescriptor.ofVoid(arguments));
    }

    /** Links everything, or throws a {@link LinkageError}. */
    static void link() {
        if (GET_DEVICE_LIST == null) {
            throw new UnsatisfiedLinkError(Libraries.VERBS);
        }
    }

    /** An array of devices that ends with 0; an empty one, or 0, where there is none. */
    static long getDeviceList() {
        try {
            return (long) GET_DEVICE_LIST.invokeExact(Errno.buffer(), 0L);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void freeDeviceList(long list) {
        try {
            FREE_DEVICE_LIST.invokeExact(list);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static String getDeviceName(long device) {
        try {
            return Raw.string((long) GET_DEVICE_NAME.invokeExact(Errno.buffer(), device), 64);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long openDevice(long device) {
        try {
            return (long) OPEN_DEVICE.invokeExact(Errno.buffer(), device);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int closeDevice(long context) {
        try {
            return (int) CLOSE_DEVICE.invokeExact(Errno.buffer(), context);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int queryDevice(long context, MemorySegment attributes) {
        try {
            return (int) QUERY_DEVICE.invokeExact(Errno.buffer(), context, attributes.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int queryPort(long context, int port, MemorySegment attributes) {
        try {
            return (int) QUERY_PORT.invokeExact(Errno.buffer(), context, (byte) port, attributes.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Nonzero when there is no such entry. */
    static int queryGid(long context, int port, int index, MemorySegment gid) {
        try {
            return (int) QUERY_GID.invokeExact(Errno.buffer(), context, (byte) port, index, gid.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Nonzero when there is no such entry; the key comes big-endian. */
    static int queryPkey(long context, int port, int index, MemorySegment pkey) {
        try {
            return (int) QUERY_PKEY.invokeExact(Errno.buffer(), context, (byte) port, index, pkey.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long allocPd(long context) {
        try {
            return (long) ALLOC_PD.invokeExact(Errno.buffer(), context);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int deallocPd(long pd) {
        try {
            return (int) DEALLOC_PD.invokeExact(Errno.buffer(), pd);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long regMr(long pd, long address, long length, int access) {
        try {
            return (long) REG_MR.invokeExact(Errno.buffer(), pd, address, length, access);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int deregMr(long mr) {
        try {
            return (int) DEREG_MR.invokeExact(Errno.buffer(), mr);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long createCompChannel(long context) {
        try {
            return (long) CREATE_COMP_CHANNEL.invokeExact(Errno.buffer(), context);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int destroyCompChannel(long channel) {
        try {
            return (int) DESTROY_COMP_CHANNEL.invokeExact(Errno.buffer(), channel);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long createCq(long context, int cqe, long cookie, long channel) {
        try {
            return (long) CREATE_CQ.invokeExact(Errno.buffer(), context, cqe, cookie, channel, 0);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int destroyCq(long cq) {
        try {
            return (int) DESTROY_CQ.invokeExact(Errno.buffer(), cq);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Nonzero when there is none; then {@link Errno#last} tells why. */
    static int getCqEvent(long channel, MemorySegment cq, MemorySegment cookie) {
        try {
            return (int) GET_CQ_EVENT.invokeExact(Errno.buffer(), channel, cq.address(), cookie.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void ackCqEvent(long cq) {
        try {
            ACK_CQ_EVENTS.invokeExact(cq, 1);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long createSrq(long pd, MemorySegment attributes) {
        try {
            return (long) CREATE_SRQ.invokeExact(Errno.buffer(), pd, attributes.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int destroySrq(long srq) {
        try {
            return (int) DESTROY_SRQ.invokeExact(Errno.buffer(), srq);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long createQp(long pd, MemorySegment attributes) {
        try {
            return (long) CREATE_QP.invokeExact(Errno.buffer(), pd, attributes.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int modifyQp(long qp, MemorySegment attributes, int mask) {
        try {
            return (int) MODIFY_QP.invokeExact(Errno.buffer(), qp, attributes.address(), mask);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static int destroyQp(long qp) {
        try {
            return (int) DESTROY_QP.invokeExact(Errno.buffer(), qp);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Nonzero when there is none; then {@link Errno#last} tells why. */
    static int getAsyncEvent(long context, MemorySegment event) {
        try {
            return (int) GET_ASYNC_EVENT.invokeExact(Errno.buffer(), context, event.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static void ackAsyncEvent(MemorySegment event) {
        try {
            ACK_ASYNC_EVENT.invokeExact(event.address());
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Calls {@code poll_cq} of the context's function table; allocates nothing.
     *
     * @return how many completions came, or below 0 for a fault
     */
    static int pollCq(MemorySegment function, long cq, int most, long completions) {
        try {
            return (int) POLL_CQ.invokeExact(function, cq, most, completions);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Calls {@code req_notify_cq} for the next completion of any kind. */
    static int reqNotifyCq(MemorySegment function, long cq) {
        try {
            return (int) REQ_NOTIFY_CQ.invokeExact(function, cq, 0);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** Calls {@code post_send}, {@code post_recv} or {@code post_srq_recv}; allocates nothing. */
    static int post(MemorySegment function, long queue, long first, long bad) {
        try {
            return (int) POST.invokeExact(function, queue, first, bad);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
