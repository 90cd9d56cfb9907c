package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.roce.PacketCounters.Name;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Packets through Linux's {@code recvmmsg} and {@code sendmmsg}, one system call a batch. Like every packet socket it
 * is not connected, so that it sends IPv4 identification 0.
 *
 * <p>A payload that is given by its address is copied and not gathered: so the CRC and the kernel see the same bytes
 * even if their owner changes them meanwhile, and the copy is in the cache when both read it.
 */
final class MmsgPacketSocket implements PacketSocket {
    private static final int SLOTS = 64;
    /** How long a flush waits for room in the kernel, all packets together. */
    private static final long ROOM_NANOS = 20_000_000;

    private static final long ROOM_STEP_NANOS = 1_000_000;
    /** How often the kernel is asked what it dropped. */
    private static final long DROPS_NANOS = 100_000_000;

    private static final long HEADER = Linux.MMSGHDR.byteSize();
    private static final long NAME_LENGTH = field("msg_namelen");
    private static final long MESSAGE_LENGTH = field("msg_len");
    private static final long IOVEC = Linux.IOVEC.byteSize();
    private static final long IOV_LEN = Linux.IOVEC.byteOffset(PathElement.groupElement("iov_len"));
    private static final long ADDRESS = 32;

    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt IPV4 = ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong IPV6 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

    private final Linux linux;
    private final Peers peers;
    private final boolean ipv4;
    private final PathMtu maxPathMtu;
    private final PacketCounters counters = new PacketCounters();
    private final Failures failures = new Failures(counters);
    private final ReceiveBatch received = new ReceiveBatch(SLOTS, counters);
    private final SendBatch sending;

    private final MemorySegment receiveHeaders;
    private final MemorySegment receiveVectors;
    private final MemorySegment sourceAddresses;
    private final MemorySegment sendHeaders;
    private final MemorySegment sendVectors;
    private final MemorySegment pollFds;
    private final MemorySegment timeout;

    private final WakeupFlag wakeup = new WakeupFlag();
    /** How many threads signal the event descriptor now; negative when it is closed. */
    private final AtomicInteger wakers = new AtomicInteger();

    private final int event;
    private int socket;
    private final MemorySegment memoryInfo;
    private long lookedForDrops;
    private int drops;

    private MmsgPacketSocket(Linux linux, int socket, int event, Peers peers) throws IOException {
        this.linux = linux;
        this.socket = socket;
        this.event = event;
        this.peers = peers;
        ipv4 = peers.ipv4();
        sending = new SendBatch(SLOTS, peers.port());
        maxPathMtu = LinkMtu.of(peers.local());
        // the kernel grants, and tells, twice what was asked for: half of it is for its own structures
        counters.add(Name.RX_BUFFER, linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_RCVBUF) / 2);
        counters.add(Name.TX_BUFFER, linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_SNDBUF) / 2);
        Arena arena = Arena.ofAuto();
        receiveHeaders = arena.allocate(HEADER * SLOTS, 64);
        receiveVectors = arena.allocate(IOVEC * SLOTS, 64);
        sourceAddresses = arena.allocate(ADDRESS * SLOTS, 64);
        sendHeaders = arena.allocate(HEADER * SLOTS, 64);
        sendVectors = arena.allocate(IOVEC * SLOTS, 64);
        pollFds = arena.allocate(Linux.POLLFD, 2);
        timeout = arena.allocate(Linux.TIMESPEC);
        memoryInfo = arena.allocate(ValueLayout.JAVA_INT, Linux.SK_MEMINFO_DROPS + 2);
        if (linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_MEMINFO, memoryInfo) < 0) {
            counters.leaveOut(Name.RX_NO_ROOM);
        }
        fillIn();
    }

    /** Why there can be no such socket on this host; empty when there can. */
    static Optional<String> unavailable() {
        return Linux.unavailable();
    }

    /** Opens a socket; parameters as for {@link PacketSockets#open}. Only where {@link #unavailable} is empty. */
    static MmsgPacketSocket open(InetAddress local, int port, int bufferBytes) throws RdmaException {
        Linux linux = new Linux();
        int socket = -1;
        int event = -1;
        try {
            boolean ipv4 = local instanceof Inet4Address;
            int type = Linux.SOCK_DGRAM | Linux.SOCK_NONBLOCK | Linux.SOCK_CLOEXEC;
            socket = check(linux, "socket", linux.socket(ipv4 ? Linux.AF_INET : Linux.AF_INET6, type, 0));
            configure(linux, socket, ipv4, bufferBytes);
            check(linux, "bind", linux.bind(socket, Peers.SocketAddress.of(local, port, Arena.ofAuto())));
            event = check(linux, "eventfd", linux.eventfd(0, Linux.EFD_NONBLOCK | Linux.EFD_CLOEXEC));
            return new MmsgPacketSocket(linux, socket, event, new Peers(local, port));
        } catch (IOException e) {
            for (int fd : new int[] {event, socket}) {
                if (fd >= 0) {
                    linux.close(fd);
                }
            }
            throw new RdmaException(
                    "cannot open UDP port " + port + " at " + local.getHostAddress() + ": " + e.getMessage(), e);
        }
    }

    private static void configure(Linux linux, int socket, boolean ipv4, int bufferBytes) throws IOException {
        if (ipv4) {
            check(linux, "IP_MTU_DISCOVER", linux.setsockopt(
                    socket, Linux.IPPROTO_IP, Linux.IP_MTU_DISCOVER, Linux.PMTUDISC_DO));
        } else {
            check(linux, "IPV6_V6ONLY", linux.setsockopt(socket, Linux.IPPROTO_IPV6, Linux.IPV6_V6ONLY, 1));
            check(linux, "IPV6_MTU_DISCOVER", linux.setsockopt(
                    socket, Linux.IPPROTO_IPV6, Linux.IPV6_MTU_DISCOVER, Linux.PMTUDISC_DO));
            // soft-RoCE sends no UDP checksum, which the kernel drops over IPv6. The invariant CRC covers more.
            check(linux, "UDP_NO_CHECK6_RX", linux.setsockopt(
                    socket, Linux.IPPROTO_UDP, Linux.UDP_NO_CHECK6_RX, 1));
        }
        // the first of each needs CAP_NET_ADMIN, and goes beyond net.core.rmem_max and wmem_max
        if (linux.setsockopt(socket, Linux.SOL_SOCKET, Linux.SO_RCVBUFFORCE, bufferBytes) < 0) {
            check(linux, "SO_RCVBUF", linux.setsockopt(socket, Linux.SOL_SOCKET, Linux.SO_RCVBUF, bufferBytes));
        }
        if (linux.setsockopt(socket, Linux.SOL_SOCKET, Linux.SO_SNDBUFFORCE, bufferBytes) < 0) {
            check(linux, "SO_SNDBUF", linux.setsockopt(socket, Linux.SOL_SOCKET, Linux.SO_SNDBUF, bufferBytes));
        }
    }

    private static int check(Linux linux, String call, int result) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": " + Linux.strerror(linux.errno()));
        }
        return result;
    }

    private static long field(String name) {
        return Linux.MMSGHDR.byteOffset(PathElement.groupElement(name));
    }

    /**
     * Fills in what stays the same from call to call. That is true of the length of a source address, too: the kernel
     * stores the length of the family's address there, which is what it was.
     */
    private void fillIn() {
        int nameLength = ipv4 ? Peers.SocketAddress.IPV4_BYTES : Peers.SocketAddress.IPV6_BYTES;
        for (int i = 0; i < SLOTS; i++) {
            long to = received.memory().address() + ReceiveBatch.slotOffset(i);
            receiveVectors.set(ValueLayout.JAVA_LONG, i * IOVEC, to);
            receiveVectors.set(ValueLayout.JAVA_LONG, i * IOVEC + IOV_LEN, ReceiveBatch.ROOM);
            long from = sending.memory().address() + SendBatch.slotOffset(i);
            sendVectors.set(ValueLayout.JAVA_LONG, i * IOVEC, from);
            for (MemorySegment headers : List.of(receiveHeaders, sendHeaders)) {
                MemorySegment vectors = headers == receiveHeaders ? receiveVectors : sendVectors;
                headers.set(ValueLayout.JAVA_LONG, i * HEADER + field("msg_iov"), vectors.address() + i * IOVEC);
                headers.set(ValueLayout.JAVA_LONG, i * HEADER + field("msg_iovlen"), 1);
                headers.set(ValueLayout.JAVA_INT, i * HEADER + NAME_LENGTH, nameLength);
            }
            receiveHeaders.set(
                    ValueLayout.JAVA_LONG, i * HEADER + field("msg_name"), sourceAddresses.address() + i * ADDRESS);
        }
        pollFds.set(ValueLayout.JAVA_INT, 0, socket);
        pollFds.set(ValueLayout.JAVA_INT, Linux.POLLFD.byteSize(), event);
        pollFds.set(ValueLayout.JAVA_SHORT, Linux.POLLFD.byteSize() + pollField("events"), Linux.POLLIN);
    }

    private static long pollField(String name) {
        return Linux.POLLFD.byteOffset(PathElement.groupElement(name));
    }

    @Override
    public int receive(long timeoutNanos) throws IOException {
        received.clear();
        drain();
        if (received.count() == 0 && timeoutNanos > 0) {
            if (wakeup.beginWait()) {
                poll(Linux.POLLIN, 2, timeoutNanos);
                if (pollFds.get(ValueLayout.JAVA_SHORT, Linux.POLLFD.byteSize() + pollField("revents")) != 0) {
                    linux.drain(event);
                }
                wakeup.endWait();
            }
            drain();
        }
        long now = System.nanoTime();
        if (now - lookedForDrops >= DROPS_NANOS) {
            lookedForDrops = now;
            lookForDrops();
        }
        return received.count();
    }

    /** Where the kernel does not tell, the number in {@link #memoryInfo} stays 0. */
    private void lookForDrops() {
        linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_MEMINFO, memoryInfo);
        int all = memoryInfo.getAtIndex(ValueLayout.JAVA_INT, Linux.SK_MEMINFO_DROPS);
        if (all != drops) {
            failures.noRoom(Integer.toUnsignedLong(all - drops));
            drops = all;
        }
    }

    private void drain() throws IOException {
        int n = linux.recvmmsg(socket, receiveHeaders, SLOTS);
        if (n < 0) {
            int errno = linux.errno();
            if (errno != Linux.EAGAIN && errno != Linux.EINTR) {
                checkOpen("recvmmsg", errno);
                failures.receive(Linux.strerror(errno));
            }
            return;
        }
        for (int i = 0; i < n; i++) {
            long address = i * ADDRESS;
            int port = Short.toUnsignedInt(sourceAddresses.get(PORT, address + 2));
            Peer source = ipv4
                    ? peers.findIpv4(sourceAddresses.get(IPV4, address + 4))
                    : peers.find(sourceAddresses.get(IPV6, address + 8), sourceAddresses.get(IPV6, address + 16));
            received.add(i, receiveHeaders.get(ValueLayout.JAVA_INT, i * HEADER + MESSAGE_LENGTH), source, port);
        }
    }

    /** Waits until the socket is ready, or with two descriptors for a wake-up. A signal may end it early. */
    private void poll(short events, int descriptors, long nanos) throws IOException {
        pollFds.set(ValueLayout.JAVA_SHORT, pollField("events"), events);
        timeout.set(ValueLayout.JAVA_LONG, 0, nanos / 1_000_000_000);
        timeout.set(ValueLayout.JAVA_LONG, 8, nanos % 1_000_000_000);
        if (linux.ppoll(pollFds, descriptors, timeout) < 0 && linux.errno() != Linux.EINTR) {
            throw new IOException("ppoll: " + Linux.strerror(linux.errno()));
        }
    }

    @Override
    public MemorySegment receiveMemory() {
        return received.memory();
    }

    @Override
    public long packetOffset(int i) {
        return received.offset(i);
    }

    @Override
    public int packetLength(int i) {
        return received.length(i);
    }

    @Override
    public Peer packetSource(int i) {
        return received.source(i);
    }

    @Override
    public Peer peer(Gid gid) throws RdmaException {
        return peers.of(gid);
    }

    @Override
    public MemorySegment sendMemory() {
        return sending.memory();
    }

    @Override
    public long reserve() throws IOException {
        if (sending.full()) {
            flush();
        }
        return sending.next();
    }

    @Override
    public void commit(Peer to, int length) {
        sending.commit(to, length);
    }

    @Override
    public void commit(Peer to, int headerLength, long payloadAddress, int payloadLength) {
        sending.commit(to, headerLength, payloadAddress, payloadLength);
    }

    @Override
    public void flush() throws IOException {
        int count = sending.count();
        for (int i = 0; i < count; i++) {
            sendVectors.set(ValueLayout.JAVA_LONG, i * IOVEC + IOV_LEN, sending.length(i));
            sendHeaders.set(
                    ValueLayout.JAVA_LONG, i * HEADER, sending.destination(i).socketAddress().address());
        }
        try {
            send(count);
        } finally {
            sending.clear();
        }
    }

    private void send(int count) throws IOException {
        long began = 0;
        int sent = 0;
        while (sent < count) {
            int n = linux.sendmmsg(socket, sendHeaders.asSlice(sent * HEADER), count - sent);
            if (n >= 0) {
                sent(sent, n);
                sent += n;
                continue;
            }
            int errno = linux.errno();
            switch (errno) {
                case Linux.EINTR -> { }
                case Linux.EAGAIN, Linux.ENOBUFS, Linux.ENOMEM -> {
                    long now = System.nanoTime();
                    began = began == 0 ? now : began;
                    if (now - began > ROOM_NANOS) {
                        counters.add(Name.TX_NO_ROOM, count - sent);
                        return;
                    }
                    poll(Linux.POLLOUT, 1, ROOM_STEP_NANOS);
                }
                default -> {
                    checkOpen("sendmmsg", errno);
                    failures.send(sending.destination(sent), errno == Linux.EMSGSIZE, Linux.strerror(errno));
                    sent++;
                }
            }
        }
    }

    private void sent(int first, int n) {
        long bytes = 0;
        for (int i = first; i < first + n; i++) {
            bytes += sending.length(i);
        }
        counters.add(Name.TX_PACKETS, n);
        counters.add(Name.TX_BYTES, bytes);
    }

    /** Faults of this side, unlike those of the network. */
    private static void checkOpen(String call, int errno) throws IOException {
        if (errno == Linux.EBADF || errno == Linux.ENOTSOCK || errno == Linux.EFAULT) {
            throw new IOException(call + ": " + Linux.strerror(errno));
        }
    }

    @Override
    public void wakeup() {
        if (wakeup.request()) {
            if (wakers.getAndIncrement() >= 0) {
                Linux.signal(event);
            }
            wakers.getAndDecrement();
        }
    }

    @Override
    public Gid local() {
        return Gid.of(peers.local());
    }

    @Override
    public PathMtu maxPathMtu() {
        return maxPathMtu;
    }

    @Override
    public List<Counter> counters() {
        return counters.snapshot();
    }

    @Override
    public void close() {
        if (socket < 0) {
            return;
        }
        linux.close(socket);
        socket = -1;
        // the number may be another file's as soon as it is closed, so none may be about to signal it
        wakers.getAndAdd(Integer.MIN_VALUE);
        while (wakers.get() != Integer.MIN_VALUE) {
            Thread.onSpinWait();
        }
        linux.close(event);
    }
}
