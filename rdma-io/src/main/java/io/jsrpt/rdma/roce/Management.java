package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;

/** What a port does with management datagrams, with time, and with its own end. Called by the network thread. */
interface Management {
    /**
     * A datagram came to QP1.
     *
     * @param mad 256 bytes, the callee's
     */
    void onMad(Gid from, byte[] mad, long now);

    /** When {@link #onTimer} is due; {@link Long#MAX_VALUE} for never. */
    long deadline();

    /** The time of {@link #deadline} has come. */
    void onTimer(long now);

    /** The end of a turn: tells users of what there is to fetch. */
    void endTurn();

    /** The port is being closed: peers are told, what is open ends. */
    void close();

    /** The port is gone for a fault of its socket. */
    void onPortLost();
}
