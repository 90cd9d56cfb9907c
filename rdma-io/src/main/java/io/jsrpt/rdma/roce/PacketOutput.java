package io.jsrpt.rdma.roce;

/** Where a queue pair writes its packets; a packet is written in place and costs no object. */
interface PacketOutput {
    /**
     * A place for one packet.
     *
     * @return the native address of its BTH, good until {@link #commit}
     */
    long reserve();

    /**
     * Sends the packet that was written at the last reserved place.
     *
     * @param bytes from the BTH up to the end of the pad, without the invariant CRC
     */
    void commit(int bytes);
}
