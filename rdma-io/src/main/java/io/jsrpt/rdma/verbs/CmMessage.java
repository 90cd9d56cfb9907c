package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.ConnectionParameters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A copy of an event of the library's connection manager ({@code rdma_cm_event}), which is acknowledged by then.
 *
 * @param type {@code enum rdma_cm_event_type}
 * @param id the address of the id that it is about; a new one with a request
 * @param listener the address of the listener, with a request
 * @param status 0, a negative error number, or a reject's reason
 * @param peer what the peer offers, from its side
 * @param queuePair the peer's queue pair
 */
record CmMessage(
        int type,
        long id,
        long listener,
        int status,
        ConnectionParameters peer,
        int queuePair,
        byte[] privateData) {

    /** Copies an event of the library's. */
    static CmMessage copy(long event) {
        long conn = event + Layouts.CmEventStruct.CONN;
        long data = Raw.getLong(conn + Layouts.ConnParam.PRIVATE_DATA);
        int length = data == 0 ? 0 : Raw.getByte(conn + Layouts.ConnParam.PRIVATE_DATA_LEN);
        // the library tells what this side is to set: the peer's initiator depth as our responder resources
        ConnectionParameters peer = new ConnectionParameters(
            Raw.getByte(conn + Layouts.ConnParam.INITIATOR_DEPTH),
            Raw.getByte(conn + Layouts.ConnParam.RESPONDER_RESOURCES),
            Raw.getByte(conn + Layouts.ConnParam.RETRY_COUNT) & 7,
            Raw.getByte(conn + Layouts.ConnParam.RNR_RETRY_COUNT) & 7,
            Raw.getByte(conn + Layouts.ConnParam.FLOW_CONTROL) != 0,
            Raw.getByte(conn + Layouts.ConnParam.SRQ) != 0);
        return new CmMessage(
            Raw.getInt(event + Layouts.CmEventStruct.EVENT),
            Raw.getLong(event + Layouts.CmEventStruct.ID),
            Raw.getLong(event + Layouts.CmEventStruct.LISTEN_ID),
            Raw.getInt(event + Layouts.CmEventStruct.STATUS),
            peer,
            Raw.getInt(conn + Layouts.ConnParam.QP_NUM) & 0xff_ffff,
            Raw.bytes(data, length));
    }

    /** {@code rdma_conn_param} for a call. */
    static MemorySegment parameters(Arena arena, ConnectionParameters own, int queuePair, byte[] privateData) {
        MemorySegment to = arena.allocate(Layouts.ConnParam.BYTES, 8);
        MemorySegment data = arena.allocate(Math.max(1, privateData.length));
        MemorySegment.copy(privateData, 0, data, ValueLayout.JAVA_BYTE, 0, privateData.length);
        to.set(ValueLayout.JAVA_LONG, Layouts.ConnParam.PRIVATE_DATA, data.address());
        to.set(ValueLayout.JAVA_BYTE, Layouts.ConnParam.PRIVATE_DATA_LEN, (byte) privateData.length);
        to.set(ValueLayout.JAVA_BYTE, Layouts.ConnParam.RESPONDER_RESOURCES, (byte) own.responderResources());
        to.set(ValueLayout.JAVA_BYTE, Layouts.ConnParam.INITIATOR_DEPTH, (byte) own.initiatorDepth());
        to.set(ValueLayout.JAVA_BYTE, Layouts.ConnParam.FLOW_CONTROL, (byte) (own.flowControl() ? 1 : 0));
        to.set(ValueLayout.JAVA_BYTE, Layouts.ConnParam.RETRY_COUNT, (byte) own.retryCount());
        to.set(ValueLayout.JAVA_BYTE, Layouts.ConnParam.RNR_RETRY_COUNT, (byte) own.rnrRetryCount());
        to.set(ValueLayout.JAVA_BYTE, Layouts.ConnParam.SRQ, (byte) (own.sharedReceiveQueue() ? 1 : 0));
        to.set(ValueLayout.JAVA_INT, Layouts.ConnParam.QP_NUM, queuePair);
        return to;
    }
}
