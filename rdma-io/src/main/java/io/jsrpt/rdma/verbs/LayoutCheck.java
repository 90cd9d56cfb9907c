package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares {@link Layouts} with what the installed library shows: opened objects must hold the values that they were
 * made with at the places described, and a receive must come back with its id through a queue pair that is moved to the
 * error state. Whatever does not fit is refused before any work is posted.
 */
final class LayoutCheck {
    private static final Logger LOG = LoggerFactory.getLogger(LayoutCheck.class);

    /** The library's mark of a context that has the extended functions ({@code __VERBS_ABI_IS_EXTENDED}). */
    private static final long EXTENDED = -1;

    private static final long COOKIE = 0x6a73_7270_7443_5131L;
    private static final int POLLS = 10_000;
    private static final long POLL_NANOS = 200_000;

    private LayoutCheck() {}

    /** A context that was just opened. */
    static void context(long pointer, long device, String name) throws RdmaException {
        check("ibv_context.device", Raw.getLong(pointer + Layouts.Context.DEVICE), device);
        long mark = Raw.getLong(pointer + Layouts.Context.abiCompat(System.getProperty("os.arch")));
        check("ibv_context.abi_compat", mark, EXTENDED);
        descriptor("ibv_context.async_fd", Raw.getInt(pointer + Layouts.Context.ASYNC_FD), "infinibandevent");
        descriptor("ibv_context.cmd_fd", Raw.getInt(pointer + Layouts.Context.CMD_FD), "/uverbs");
        long[] functions = {
            Layouts.Context.POLL_CQ, Layouts.Context.REQ_NOTIFY_CQ, Layouts.Context.POST_SRQ_RECV,
            Layouts.Context.POST_SEND, Layouts.Context.POST_RECV
        };
        for (long function : functions) {
            if (Raw.getLong(pointer + function) == 0) {
                throw new RdmaException(name + ": its driver has no function at " + function + " of ibv_context.ops");
            }
        }
    }

    /** An id that was just made on a channel. */
    static void id(long id, long channel) throws RdmaException {
        check("rdma_cm_id.channel", Raw.getLong(id + Layouts.CmIdStruct.CHANNEL), channel);
        check("rdma_cm_id.ps", Raw.getInt(id + Layouts.CmIdStruct.PS), Rdmacm.PS_TCP);
        check("rdma_cm_id.verbs", Raw.getLong(id + Layouts.CmIdStruct.VERBS), 0);
    }

    /** One of each of the objects that the data path uses. */
    static void objects(Context context) throws RdmaException {
        long pointer = context.pointer();
        try (Arena arena = Arena.ofShared(); Made made = new Made()) {
            long pd = made.add("ibv_alloc_pd", Ibverbs.allocPd(pointer), Ibverbs::deallocPd);
            check("ibv_pd.context", Raw.getLong(pd + Layouts.Pd.CONTEXT), pointer);
            long channel = made.add(
                "ibv_create_comp_channel", Ibverbs.createCompChannel(pointer), Ibverbs::destroyCompChannel);
            check("ibv_comp_channel.context", Raw.getLong(channel + Layouts.CompChannel.CONTEXT), pointer);
            descriptor("ibv_comp_channel.fd", Raw.getInt(channel + Layouts.CompChannel.FD), "infinibandevent");
            long cq = made.add("ibv_create_cq", Ibverbs.createCq(pointer, 4, COOKIE, channel), Ibverbs::destroyCq);
            check("ibv_cq.context", Raw.getLong(cq + Layouts.Cq.CONTEXT), pointer);
            check("ibv_cq.channel", Raw.getLong(cq + Layouts.Cq.CHANNEL), channel);
            check("ibv_cq.cq_context", Raw.getLong(cq + Layouts.Cq.CQ_CONTEXT), COOKIE);
            int cqe = Raw.getInt(cq + Layouts.Cq.CQE);
            check("ibv_cq.cqe", cqe >= 4 && cqe < 1 << 24 ? 1 : 0, 1);
            MemorySegment memory = arena.allocate(64, 64);
            long mr = made.add("ibv_reg_mr", Ibverbs.regMr(pd, memory.address(), 64, Ibverbs.ACCESS_LOCAL_WRITE),
                Ibverbs::deregMr);
            check("ibv_mr.context", Raw.getLong(mr + Layouts.Mr.CONTEXT), pointer);
            check("ibv_mr.addr", Raw.getLong(mr + Layouts.Mr.ADDR), memory.address());
            check("ibv_mr.length", Raw.getLong(mr + Layouts.Mr.LENGTH), 64);
            long qp = made.add("ibv_create_qp", Ibverbs.createQp(pd, initAttributes(arena, cq)), Ibverbs::destroyQp);
            check("ibv_qp.context", Raw.getLong(qp + Layouts.Qp.CONTEXT), pointer);
            check("ibv_qp.pd", Raw.getLong(qp + Layouts.Qp.PD), pd);
            check("ibv_qp.send_cq", Raw.getLong(qp + Layouts.Qp.SEND_CQ), cq);
            check("ibv_qp.recv_cq", Raw.getLong(qp + Layouts.Qp.RECV_CQ), cq);
            check("ibv_qp.qp_type", Raw.getInt(qp + Layouts.Qp.QP_TYPE), Ibverbs.QPT_RC);
            check("ibv_qp.state", Raw.getInt(qp + Layouts.Qp.STATE), Ibverbs.QPS_RESET);
            flush(context, arena, cq, qp, memory.address(), Raw.getInt(mr + Layouts.Mr.LKEY));
        }
    }

    private static MemorySegment initAttributes(Arena arena, long cq) {
        MemorySegment attr = arena.allocate(Layouts.QpInitAttr.BYTES, 8);
        attr.set(ValueLayout.JAVA_LONG, Layouts.QpInitAttr.SEND_CQ, cq);
        attr.set(ValueLayout.JAVA_LONG, Layouts.QpInitAttr.RECV_CQ, cq);
        attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.MAX_SEND_WR, 2);
        attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.MAX_RECV_WR, 2);
        attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.MAX_SEND_SGE, 1);
        attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.MAX_RECV_SGE, 1);
        attr.set(ValueLayout.JAVA_INT, Layouts.QpInitAttr.QP_TYPE, Ibverbs.QPT_RC);
        return attr;
    }

    /** A receive that is posted comes back flushed, with its id and the queue pair's number. */
    private static void flush(Context context, Arena arena, long cq, long qp, long address, int lkey)
            throws RdmaException {
        MemorySegment attr = arena.allocate(Layouts.QpAttr.BYTES, 8);
        attr.set(ValueLayout.JAVA_INT, Layouts.QpAttr.QP_STATE, Ibverbs.QPS_INIT);
        attr.set(ValueLayout.JAVA_BYTE, Layouts.QpAttr.PORT_NUM, (byte) 1);
        // IBV_QP_STATE, IBV_QP_ACCESS_FLAGS, IBV_QP_PKEY_INDEX and IBV_QP_PORT
        check("ibv_modify_qp to INIT", Ibverbs.modifyQp(qp, attr, 0x39), 0);
        MemorySegment wr = arena.allocate(Layouts.RecvWr.BYTES + Layouts.Sge.BYTES + 8, 8);
        MemorySegment sge = wr.asSlice(Layouts.RecvWr.BYTES);
        wr.set(ValueLayout.JAVA_LONG, Layouts.RecvWr.WR_ID, COOKIE);
        wr.set(ValueLayout.JAVA_LONG, Layouts.RecvWr.SG_LIST, sge.address());
        wr.set(ValueLayout.JAVA_INT, Layouts.RecvWr.NUM_SGE, 1);
        sge.set(ValueLayout.JAVA_LONG, Layouts.Sge.ADDR, address);
        sge.set(ValueLayout.JAVA_INT, Layouts.Sge.LENGTH, 64);
        sge.set(ValueLayout.JAVA_INT, Layouts.Sge.LKEY, lkey);
        long bad = sge.address() + Layouts.Sge.BYTES;
        check("ibv_post_recv", Ibverbs.post(context.postReceive(), qp, wr.address(), bad), 0);
        attr.set(ValueLayout.JAVA_INT, Layouts.QpAttr.QP_STATE, Ibverbs.QPS_ERR);
        check("ibv_modify_qp to ERR", Ibverbs.modifyQp(qp, attr, Ibverbs.QP_STATE), 0);
        MemorySegment wc = arena.allocate(2 * Layouts.Wc.BYTES, 8);
        int came = 0;
        for (int i = 0; i < POLLS && came == 0; i++) {
            came = Ibverbs.pollCq(context.pollCq(), cq, 1, wc.address());
            LockSupport.parkNanos(POLL_NANOS);
        }
        check("ibv_poll_cq", came, 1);
        check("ibv_wc.wr_id", wc.get(ValueLayout.JAVA_LONG, Layouts.Wc.WR_ID), COOKIE);
        check("ibv_wc.status", wc.get(ValueLayout.JAVA_INT, Layouts.Wc.STATUS), Statuses.WR_FLUSH_ERR);
        check("ibv_wc.qp_num", wc.get(ValueLayout.JAVA_INT, Layouts.Wc.QP_NUM),
            Raw.getInt(qp + Layouts.Qp.QP_NUM));
    }

    private static void check(String what, long found, long expected) throws RdmaException {
        if (found != expected) {
            throw new RdmaException("the installed rdma-core is not one whose structures are known: " + what
                + " is 0x" + Long.toHexString(found) + ", not 0x" + Long.toHexString(expected));
        }
    }

    private static void descriptor(String what, int descriptor, String kind) throws RdmaException {
        String found;
        try {
            found = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
        } catch (IOException e) {
            found = "no open file";
        }
        if (!found.contains(kind)) {
            throw new RdmaException("the installed rdma-core is not one whose structures are known: " + what + " is "
                + descriptor + ", which is " + found);
        }
    }

    /** What was made, to be freed in the reverse order. */
    private static final class Made implements AutoCloseable {
        private final Deque<Runnable> frees = new ArrayDeque<>();

        long add(String call, long pointer, LongToIntFunction free) throws RdmaException {
            if (pointer == 0) {
                throw Errno.failed(call, Errno.last());
            }
            frees.push(() -> {
                int failed = free.applyAsInt(pointer);
                if (failed != 0) {
                    LOG.warn("what {} made cannot be freed: {}", call, Errno.text(failed));
                }
            });
            return pointer;
        }

        @Override
        public void close() {
            frees.forEach(Runnable::run);
        }
    }
}
