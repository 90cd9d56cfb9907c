package io.jsrpt.rdma.verbs;

import java.util.ArrayList;
import java.util.List;

/**
 * The structures of rdma-core that are used here: offsets in bytes of the members that are used, from {@code
 * infiniband/verbs.h} and {@code rdma/rdma_cma.h}. They stay so while the libraries' names end in {@code .so.1}.
 * {@link #STRUCTURES} names all of them again, for the comparison with a compiler's; {@link LayoutCheck} compares what
 * an opened device shows of them.
 */
final class Layouts {
    private Layouts() {}

    /** An opened device. */
    static final class Context {
        static final long DEVICE = 0;
        static final long POLL_CQ = 96;
        static final long REQ_NOTIFY_CQ = 104;
        static final long POST_SRQ_RECV = 168;
        static final long POST_SEND = 208;
        static final long POST_RECV = 216;
        static final long CMD_FD = 264;
        static final long ASYNC_FD = 268;
        static final long NUM_COMP_VECTORS = 272;
        private static final long MUTEX = 280;

        private Context() {}

        /** Behind a {@code pthread_mutex_t}, whose size is the processor's matter. */
        static long abiCompat(String processor) {
            return MUTEX + (processor.equals("aarch64") ? 48 : 40);
        }
    }

    static final class DeviceAttr {
        static final long BYTES = 232;
        static final long NODE_GUID = 64;
        static final long VENDOR_ID = 96;
        static final long VENDOR_PART_ID = 100;
        static final long HW_VER = 104;
        static final long MAX_QP_WR = 112;
        static final long MAX_CQE = 132;
        static final long MAX_QP_RD_ATOM = 144;
        static final long MAX_QP_INIT_RD_ATOM = 156;
        static final long MAX_SRQ_WR = 216;
        static final long PHYS_PORT_CNT = 227;

        private DeviceAttr() {}
    }

    static final class PortAttr {
        static final long BYTES = 52;
        static final long STATE = 0;
        static final long MAX_MTU = 4;
        static final long ACTIVE_MTU = 8;
        static final long GID_TBL_LEN = 12;
        static final long MAX_MSG_SZ = 20;
        static final long LINK_LAYER = 46;

        private PortAttr() {}
    }

    static final class Pd {
        static final long CONTEXT = 0;

        private Pd() {}
    }

    static final class Mr {
        static final long CONTEXT = 0;
        static final long ADDR = 16;
        static final long LENGTH = 24;
        static final long LKEY = 36;
        static final long RKEY = 40;

        private Mr() {}
    }

    static final class CompChannel {
        static final long CONTEXT = 0;
        static final long FD = 8;

        private CompChannel() {}
    }

    static final class Cq {
        static final long CONTEXT = 0;
        static final long CHANNEL = 8;
        static final long CQ_CONTEXT = 16;
        static final long CQE = 28;

        private Cq() {}
    }

    static final class Qp {
        static final long CONTEXT = 0;
        static final long PD = 16;
        static final long SEND_CQ = 24;
        static final long RECV_CQ = 32;
        static final long QP_NUM = 52;
        static final long STATE = 56;
        static final long QP_TYPE = 60;

        private Qp() {}
    }

    static final class QpInitAttr {
        static final long BYTES = 64;
        static final long SEND_CQ = 8;
        static final long RECV_CQ = 16;
        static final long SRQ = 24;
        static final long MAX_SEND_WR = 32;
        static final long MAX_RECV_WR = 36;
        static final long MAX_SEND_SGE = 40;
        static final long MAX_RECV_SGE = 44;
        static final long MAX_INLINE_DATA = 48;
        static final long QP_TYPE = 52;
        static final long SQ_SIG_ALL = 56;

        private QpInitAttr() {}
    }

    static final class SrqInitAttr {
        static final long BYTES = 24;
        static final long MAX_WR = 8;
        static final long MAX_SGE = 12;

        private SrqInitAttr() {}
    }

    static final class QpAttr {
        static final long BYTES = 144;
        static final long QP_STATE = 0;
        static final long PATH_MTU = 8;
        static final long QP_ACCESS_FLAGS = 32;
        static final long PKEY_INDEX = 120;
        static final long MAX_RD_ATOMIC = 126;
        static final long MAX_DEST_RD_ATOMIC = 127;
        static final long MIN_RNR_TIMER = 128;
        static final long PORT_NUM = 129;

        private QpAttr() {}
    }

    static final class SendWr {
        static final long BYTES = 128;
        static final long WR_ID = 0;
        static final long NEXT = 8;
        static final long SG_LIST = 16;
        static final long NUM_SGE = 24;
        static final long OPCODE = 28;
        static final long SEND_FLAGS = 32;
        static final long REMOTE_ADDR = 40;
        static final long RKEY = 48;

        private SendWr() {}
    }

    static final class RecvWr {
        static final long BYTES = 32;
        static final long WR_ID = 0;
        static final long NEXT = 8;
        static final long SG_LIST = 16;
        static final long NUM_SGE = 24;

        private RecvWr() {}
    }

    static final class Sge {
        static final long BYTES = 16;
        static final long ADDR = 0;
        static final long LENGTH = 8;
        static final long LKEY = 12;

        private Sge() {}
    }

    static final class Wc {
        static final long BYTES = 48;
        static final long WR_ID = 0;
        static final long STATUS = 8;
        static final long BYTE_LEN = 20;
        static final long QP_NUM = 28;

        private Wc() {}
    }

    static final class AsyncEvent {
        static final long BYTES = 16;
        static final long ELEMENT = 0;
        static final long EVENT_TYPE = 8;

        private AsyncEvent() {}
    }

    static final class EventChannel {
        static final long FD = 0;

        private EventChannel() {}
    }

    static final class CmIdStruct {
        static final long VERBS = 0;
        static final long CHANNEL = 8;
        static final long SGID = 288;
        static final long DGID = 304;
        static final long PS = 344;
        static final long PORT_NUM = 348;

        private CmIdStruct() {}
    }

    static final class CmEventStruct {
        static final long ID = 0;
        static final long LISTEN_ID = 8;
        static final long EVENT = 16;
        static final long STATUS = 20;
        static final long CONN = 24;

        private CmEventStruct() {}
    }

    static final class ConnParam {
        static final long BYTES = 24;
        static final long PRIVATE_DATA = 0;
        static final long PRIVATE_DATA_LEN = 8;
        static final long RESPONDER_RESOURCES = 9;
        static final long INITIATOR_DEPTH = 10;
        static final long FLOW_CONTROL = 11;
        static final long RETRY_COUNT = 12;
        static final long RNR_RETRY_COUNT = 13;
        static final long SRQ = 14;
        static final long QP_NUM = 16;

        private ConnParam() {}
    }

    /** A member as C writes it, behind the structure's name. */
    record Member(String name, long offset, int bytes) {}

    /** A structure with the members used; its size is 0 where only a library makes and frees it. */
    record Structure(String type, long bytes, List<Member> members) {
        static Structure of(String type, long bytes, Object... members) {
            List<Member> all = new ArrayList<>();
            for (int i = 0; i < members.length; i += 3) {
                all.add(new Member((String) members[i], (Long) members[i + 1], (Integer) members[i + 2]));
            }
            return new Structure(type, bytes, List.copyOf(all));
        }
    }

    private static final List<Structure> OBJECTS = List.of(
        Structure.of("struct ibv_context", 0, "device", Context.DEVICE, 8, "ops.poll_cq", Context.POLL_CQ, 8,
            "ops.req_notify_cq", Context.REQ_NOTIFY_CQ, 8, "ops.post_srq_recv", Context.POST_SRQ_RECV, 8,
            "ops.post_send", Context.POST_SEND, 8, "ops.post_recv", Context.POST_RECV, 8, "cmd_fd", Context.CMD_FD, 4,
            "async_fd", Context.ASYNC_FD, 4, "num_comp_vectors", Context.NUM_COMP_VECTORS, 4,
            "abi_compat", Context.abiCompat(System.getProperty("os.arch")), 8),
        Structure.of("struct ibv_pd", 0, "context", Pd.CONTEXT, 8),
        Structure.of("struct ibv_mr", 0, "context", Mr.CONTEXT, 8, "addr", Mr.ADDR, 8, "length", Mr.LENGTH, 8,
            "lkey", Mr.LKEY, 4, "rkey", Mr.RKEY, 4),
        Structure.of("struct ibv_comp_channel", 0, "context", CompChannel.CONTEXT, 8, "fd", CompChannel.FD, 4),
        Structure.of("struct ibv_cq", 0, "context", Cq.CONTEXT, 8, "channel", Cq.CHANNEL, 8,
            "cq_context", Cq.CQ_CONTEXT, 8, "cqe", Cq.CQE, 4),
        Structure.of("struct ibv_qp", 0, "context", Qp.CONTEXT, 8, "pd", Qp.PD, 8, "send_cq", Qp.SEND_CQ, 8,
            "recv_cq", Qp.RECV_CQ, 8, "qp_num", Qp.QP_NUM, 4, "state", Qp.STATE, 4, "qp_type", Qp.QP_TYPE, 4),
        Structure.of("struct rdma_event_channel", 0, "fd", EventChannel.FD, 4),
        Structure.of("struct rdma_cm_id", 0, "verbs", CmIdStruct.VERBS, 8, "channel", CmIdStruct.CHANNEL, 8,
            "route.addr.addr.ibaddr.sgid", CmIdStruct.SGID, 16, "route.addr.addr.ibaddr.dgid", CmIdStruct.DGID, 16,
            "ps", CmIdStruct.PS, 4, "port_num", CmIdStruct.PORT_NUM, 1),
        Structure.of("struct rdma_cm_event", 0, "id", CmEventStruct.ID, 8, "listen_id", CmEventStruct.LISTEN_ID, 8,
            "event", CmEventStruct.EVENT, 4, "status", CmEventStruct.STATUS, 4,
            "param.conn", CmEventStruct.CONN, (int) ConnParam.BYTES));

    private static final List<Structure> ARGUMENTS = List.of(
        Structure.of("struct ibv_device_attr", DeviceAttr.BYTES, "node_guid", DeviceAttr.NODE_GUID, 8,
            "vendor_id", DeviceAttr.VENDOR_ID, 4, "vendor_part_id", DeviceAttr.VENDOR_PART_ID, 4,
            "hw_ver", DeviceAttr.HW_VER, 4, "max_qp_wr", DeviceAttr.MAX_QP_WR, 4, "max_cqe", DeviceAttr.MAX_CQE, 4,
            "max_qp_rd_atom", DeviceAttr.MAX_QP_RD_ATOM, 4, "max_qp_init_rd_atom", DeviceAttr.MAX_QP_INIT_RD_ATOM, 4,
            "max_srq_wr", DeviceAttr.MAX_SRQ_WR, 4, "phys_port_cnt", DeviceAttr.PHYS_PORT_CNT, 1),
        Structure.of("struct ibv_port_attr", PortAttr.BYTES, "state", PortAttr.STATE, 4,
            "max_mtu", PortAttr.MAX_MTU, 4, "active_mtu", PortAttr.ACTIVE_MTU, 4,
            "gid_tbl_len", PortAttr.GID_TBL_LEN, 4, "max_msg_sz", PortAttr.MAX_MSG_SZ, 4,
            "link_layer", PortAttr.LINK_LAYER, 1),
        Structure.of("struct ibv_qp_init_attr", QpInitAttr.BYTES, "send_cq", QpInitAttr.SEND_CQ, 8,
            "recv_cq", QpInitAttr.RECV_CQ, 8, "srq", QpInitAttr.SRQ, 8,
            "cap.max_send_wr", QpInitAttr.MAX_SEND_WR, 4, "cap.max_recv_wr", QpInitAttr.MAX_RECV_WR, 4,
            "cap.max_send_sge", QpInitAttr.MAX_SEND_SGE, 4, "cap.max_recv_sge", QpInitAttr.MAX_RECV_SGE, 4,
            "cap.max_inline_data", QpInitAttr.MAX_INLINE_DATA, 4, "qp_type", QpInitAttr.QP_TYPE, 4,
            "sq_sig_all", QpInitAttr.SQ_SIG_ALL, 4),
        Structure.of("struct ibv_srq_init_attr", SrqInitAttr.BYTES, "attr.max_wr", SrqInitAttr.MAX_WR, 4,
            "attr.max_sge", SrqInitAttr.MAX_SGE, 4),
        Structure.of("struct ibv_qp_attr", QpAttr.BYTES, "qp_state", QpAttr.QP_STATE, 4,
            "path_mtu", QpAttr.PATH_MTU, 4, "qp_access_flags", QpAttr.QP_ACCESS_FLAGS, 4,
            "pkey_index", QpAttr.PKEY_INDEX, 2, "max_rd_atomic", QpAttr.MAX_RD_ATOMIC, 1,
            "max_dest_rd_atomic", QpAttr.MAX_DEST_RD_ATOMIC, 1, "min_rnr_timer", QpAttr.MIN_RNR_TIMER, 1,
            "port_num", QpAttr.PORT_NUM, 1),
        Structure.of("struct rdma_conn_param", ConnParam.BYTES, "private_data", ConnParam.PRIVATE_DATA, 8,
            "private_data_len", ConnParam.PRIVATE_DATA_LEN, 1,
            "responder_resources", ConnParam.RESPONDER_RESOURCES, 1, "initiator_depth", ConnParam.INITIATOR_DEPTH, 1,
            "flow_control", ConnParam.FLOW_CONTROL, 1, "retry_count", ConnParam.RETRY_COUNT, 1,
            "rnr_retry_count", ConnParam.RNR_RETRY_COUNT, 1, "srq", ConnParam.SRQ, 1, "qp_num", ConnParam.QP_NUM, 4),
        Structure.of("struct ibv_async_event", AsyncEvent.BYTES, "element", AsyncEvent.ELEMENT, 8,
            "event_type", AsyncEvent.EVENT_TYPE, 4));

    private static final List<Structure> WORK = List.of(
        Structure.of("struct ibv_send_wr", SendWr.BYTES, "wr_id", SendWr.WR_ID, 8, "next", SendWr.NEXT, 8,
            "sg_list", SendWr.SG_LIST, 8, "num_sge", SendWr.NUM_SGE, 4, "opcode", SendWr.OPCODE, 4,
            "send_flags", SendWr.SEND_FLAGS, 4, "wr.rdma.remote_addr", SendWr.REMOTE_ADDR, 8,
            "wr.rdma.rkey", SendWr.RKEY, 4),
        Structure.of("struct ibv_recv_wr", RecvWr.BYTES, "wr_id", RecvWr.WR_ID, 8, "next", RecvWr.NEXT, 8,
            "sg_list", RecvWr.SG_LIST, 8, "num_sge", RecvWr.NUM_SGE, 4),
        Structure.of("struct ibv_sge", Sge.BYTES, "addr", Sge.ADDR, 8, "length", Sge.LENGTH, 4, "lkey", Sge.LKEY, 4),
        Structure.of("struct ibv_wc", Wc.BYTES, "wr_id", Wc.WR_ID, 8, "status", Wc.STATUS, 4,
            "byte_len", Wc.BYTE_LEN, 4, "qp_num", Wc.QP_NUM, 4));

    /** All of them, to be compared with a compiler's. */
    static final List<Structure> STRUCTURES =
        List.of(OBJECTS, ARGUMENTS, WORK).stream().flatMap(List::stream).toList();
}
