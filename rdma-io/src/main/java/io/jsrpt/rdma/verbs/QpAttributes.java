package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the connection manager says that a queue pair needs for its next state ({@code rdma_init_qp_attr}): the path,
 * the sequence numbers, the retries.
 */
final class QpAttributes {
    /** IBV_QP_MIN_RNR_TIMER's code for 0.64 ms; the connection manager would leave the longest, 655 ms. */
    private static final byte RNR_TIMER = 12;

    /** Bits 21 to 24 were for RoCE once; the library has no place for what they stand for ({@code cma.c} says so). */
    private static final int UNKNOWN_BITS = 0x1e0_0000;

    private final MemorySegment attributes;
    private final int mask;
    private final QpState state;

    private QpAttributes(MemorySegment attributes, int mask, QpState state) {
        this.attributes = attributes;
        this.mask = mask;
        this.state = state;
    }

    private static QpAttributes of(Arena arena, long id, int number, QpState state) throws RdmaException {
        MemorySegment attributes = arena.allocate(Layouts.QpAttr.BYTES, 8);
        MemorySegment mask = arena.allocate(4, 4);
        attributes.set(ValueLayout.JAVA_INT, Layouts.QpAttr.QP_STATE, number);
        if (Rdmacm.initQpAttr(id, attributes, mask) != 0) {
            throw Errno.failed("the connection cannot go to " + state + ": rdma_init_qp_attr", Errno.last());
        }
        return new QpAttributes(attributes, mask.get(ValueLayout.JAVA_INT, 0) & ~UNKNOWN_BITS, state);
    }

    /** Takes receives; peers may do whatever a memory region allows them. */
    static void toInit(long id, VerbsQueuePair queuePair) throws RdmaException {
        try (Arena arena = Arena.ofConfined()) {
            QpAttributes init = of(arena, id, Ibverbs.QPS_INIT, QpState.INIT);
            init.attributes.set(ValueLayout.JAVA_INT, Layouts.QpAttr.QP_ACCESS_FLAGS,
                Ibverbs.ACCESS_REMOTE_READ | Ibverbs.ACCESS_REMOTE_WRITE);
            init.apply(queuePair);
        }
    }

    /** Connects: to RTR and RTS, with these numbers of READs at a time. */
    static void toReadyToSend(long id, VerbsQueuePair queuePair, int responderResources, int initiatorDepth)
            throws RdmaException {
        try (Arena arena = Arena.ofConfined()) {
            // the peer's path is known only now, and may be through another entry of the partition table
            toInit(id, queuePair);
            QpAttributes receive = of(arena, id, Ibverbs.QPS_RTR, QpState.RTR);
            receive.attributes.set(
                ValueLayout.JAVA_BYTE, Layouts.QpAttr.MAX_DEST_RD_ATOMIC, (byte) responderResources);
            receive.attributes.set(ValueLayout.JAVA_BYTE, Layouts.QpAttr.MIN_RNR_TIMER, RNR_TIMER);
            receive.apply(queuePair);
            QpAttributes send = of(arena, id, Ibverbs.QPS_RTS, QpState.RTS);
            send.attributes.set(ValueLayout.JAVA_BYTE, Layouts.QpAttr.MAX_RD_ATOMIC, (byte) initiatorDepth);
            send.apply(queuePair);
        }
    }

    private void apply(VerbsQueuePair queuePair) throws RdmaException {
        queuePair.modify(attributes, mask, state);
    }

    /** The path of a request that has come. */
    static Path path(long id) throws RdmaException {
        try (Arena arena = Arena.ofConfined()) {
            QpAttributes init = of(arena, id, Ibverbs.QPS_INIT, QpState.INIT);
            QpAttributes receive = of(arena, id, Ibverbs.QPS_RTR, QpState.RTR);
            int mtu = receive.attributes.get(ValueLayout.JAVA_INT, Layouts.QpAttr.PATH_MTU);
            return new Path(
                PathMtu.ofCode(Math.clamp(mtu, PathMtu.MTU_256.code(), PathMtu.MTU_4096.code())),
                init.attributes.get(ValueLayout.JAVA_BYTE, Layouts.QpAttr.PORT_NUM),
                init.attributes.get(ValueLayout.JAVA_SHORT, Layouts.QpAttr.PKEY_INDEX) & 0xffff);
        }
    }

    /**
     * A path.
     *
     * @param port this side's
     * @param partitionKeyIndex in the table of the port
     */
    record Path(PathMtu mtu, int port, int partitionKeyIndex) {}
}
