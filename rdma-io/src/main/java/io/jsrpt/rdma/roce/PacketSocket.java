package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A UDP socket that carries RoCEv2 packets of one local address (IBTA volume 1, annex A17). A packet here begins with
 * its base transport header (BTH) and ends with its invariant CRC (ICRC), both included in its length.
 *
 * <p>Threading: all methods are called by the owner only, except {@link #wakeup} and {@link #counters}, which any
 * thread may call. After {@link #close} only {@code wakeup}, {@code counters} and {@code close} may be called; the
 * memory stays valid for as long as someone refers to it.
 *
 * <p>Faults of a peer or of the network are counted and never thrown; an {@link IOException} is a fault of this side's
 * socket, for instance that it was closed.
 */
interface PacketSocket extends AutoCloseable {
    /** The longest packet that fits a slot: headers, 4096 bytes of payload, padding and ICRC, with some room. */
    int MAX_PACKET_BYTES = 4224;

    /** The shortest packet: a BTH and an ICRC. */
    int MIN_PACKET_BYTES = 16;

    /**
     * Takes what has arrived, up to a batch, and makes it the current batch; the one before is gone. Packets that are
     * too short, too long, not a multiple of four bytes long, or whose ICRC does not fit are counted and dropped.
     *
     * @param timeoutNanos how long to wait for a packet when none is there; 0 or less: not at all. The wait ends early
     *     on {@link #wakeup}
     * @return the number of packets in the batch, may be 0 before the time is over
     */
    int receive(long timeoutNanos) throws IOException;

    /** The memory that received packets are in; the same object for the socket's life. */
    MemorySegment receiveMemory();

    /** Where packet {@code i} of the batch begins (its BTH) in {@link #receiveMemory}; a multiple of 8. */
    long packetOffset(int i);

    /** The length of packet {@code i} from BTH to ICRC, a multiple of 4, at least {@link #MIN_PACKET_BYTES}. */
    int packetLength(int i);

    /**
     * Who sent packet {@code i}. Mostly the same object for the same peer, but not always: compare with
     * {@link Peer#equals}, which begins with identity.
     */
    Peer packetSource(int i);

    /**
     * The peer with this GID.
     *
     * @throws RdmaException when it is of the other address family than this socket
     */
    Peer peer(Gid gid) throws RdmaException;

    /** The memory that packets to send are built in; the same object for the socket's life. */
    MemorySegment sendMemory();

    /**
     * Makes room for one packet of up to {@link #MAX_PACKET_BYTES}; sends what was committed if there is no room
     * otherwise. A room that is not committed is given out again by the next call.
     *
     * @return where its BTH begins in {@link #sendMemory}; a multiple of 8
     */
    long reserve() throws IOException;

    /**
     * Seals the packet in the room that was last reserved and queues it: computes the ICRC and stores it in the last
     * four bytes.
     *
     * @param length from BTH to ICRC, both included
     */
    void commit(Peer to, int length);

    /**
     * Like {@link #commit(Peer, int)} for a packet whose payload lies elsewhere. The payload may be read until
     * {@link #flush} has returned, or {@link #reserve} has flushed. The pad count in the BTH is the caller's matter;
     * padding bytes are zero.
     *
     * @param headerLength bytes in the reserved room: BTH and extended headers
     * @param payloadAddress native address
     * @param payloadLength in bytes; padding to a multiple of four follows it
     */
    void commit(Peer to, int headerLength, long payloadAddress, int payloadLength);

    /**
     * Sends what was committed. When the kernel has no room it waits a bounded time, then drops and counts: the
     * transport repeats what is lost. An address that cannot be reached is counted, too.
     */
    void flush() throws IOException;

    /** Makes a {@link #receive} that waits, or the next one that would, return early. From any thread. */
    void wakeup();

    /** The local address as a GID. */
    Gid local();

    /** The largest path MTU that the interface allows. */
    PathMtu maxPathMtu();

    /** What was counted so far; from any thread. */
    List<Counter> counters();

    /** Closes the socket; packets committed and not flushed are dropped. Called by the owner. Idempotent. */
    @Override
    void close();
}
