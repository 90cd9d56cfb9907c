package io.jsrpt.rdma.roce;

/**
 * What both halves of a queue pair know of their connection (the attributes of {@code ibv_modify_qp}).
 *
 * @param number this side's queue pair
 * @param domain its protection domain
 * @param remote the peer's queue pair
 * @param mtu path MTU in bytes
 * @param output where packets go
 * @param memory the port's memory regions
 * @param counters the port's counters
 */
record Connection(
        int number, int domain, int remote, int mtu, PacketOutput output, MemoryTable memory, Counters counters) {
    /** The longest message: even in packets of 256 bytes it takes a quarter of the numbers, so that order is clear. */
    static final int MAX_MESSAGE_BYTES = 1 << 30;

    /** How many packets a message of this length takes: at least one. */
    int packets(int length) {
        return length == 0 ? 1 : (int) (((long) length + mtu - 1) / mtu);
    }
}
