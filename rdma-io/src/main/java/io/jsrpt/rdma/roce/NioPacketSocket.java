package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.RdmaDevice.Counter;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.roce.PacketCounters.Name;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packets through a {@link DatagramChannel}, one system call a packet: runs wherever Java does. The channel is never
 * connected, since only an unconnected one sends IPv4 identification 0, which the invariant CRC is computed with.
 *
 * <p>Over IPv6 the kernel drops what comes without a UDP checksum, and a channel has no option against that; Linux's
 * soft-RoCE sends none. Such peers are heard over IPv4, or by {@link MmsgPacketSocket}.
 */
final class NioPacketSocket implements PacketSocket {
    private static final Logger LOG = LoggerFactory.getLogger(NioPacketSocket.class);
    private static final int SLOTS = 64;
    /** How long a flush waits for room in the kernel, all packets together. */
    private static final long ROOM_MILLIS = 20;

    private final DatagramChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final Peers peers;
    private final PathMtu maxPathMtu;
    private final PacketCounters counters = new PacketCounters();
    private final Failures failures = new Failures(counters);
    private final WakeupFlag wakeup = new WakeupFlag();
    private final ReceiveBatch received = new ReceiveBatch(SLOTS, counters);
    private final SendBatch sending;
    private final ByteBuffer receiveView = received.memory().asByteBuffer();
    private final ByteBuffer sendView;
    private InetSocketAddress lastSource;
    private Peer lastPeer;

    private NioPacketSocket(DatagramChannel channel, Selector selector, Peers peers) throws IOException {
        this.channel = channel;
        this.selector = selector;
        this.peers = peers;
        sending = new SendBatch(SLOTS, peers.port());
        sendView = sending.memory().asByteBuffer();
        maxPathMtu = LinkMtu.of(peers.local());
        counters.leaveOut(Name.RX_NO_ROOM);
        key = channel.register(selector, SelectionKey.OP_READ);
        counters.add(Name.RX_BUFFER, channel.getOption(StandardSocketOptions.SO_RCVBUF));
        counters.add(Name.TX_BUFFER, channel.getOption(StandardSocketOptions.SO_SNDBUF));
        lastSource = new InetSocketAddress(peers.local(), peers.port());
        lastPeer = peers.find(local().subnetPrefix(), local().interfaceId());
    }

    /** Opens a socket; parameters as for {@link PacketSockets#open}. */
    static NioPacketSocket open(InetAddress local, int port, int bufferBytes) throws RdmaException {
        DatagramChannel channel = null;
        Selector selector = null;
        try {
            boolean ipv4 = local instanceof Inet4Address;
            channel = DatagramChannel.open(ipv4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
            channel.configureBlocking(false);
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, bufferBytes);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, bufferBytes);
            channel.bind(new InetSocketAddress(local, port));
            selector = Selector.open();
            if (!ipv4) {
                LOG.warn(
                        "{}: peers that send no UDP checksum over IPv6, as Linux's soft-RoCE does, cannot be heard: "
                                + "that takes Linux with native access (--enable-native-access)",
                        local.getHostAddress());
            }
            return new NioPacketSocket(channel, selector, new Peers(local, port));
        } catch (IOException | UnsupportedOperationException e) {
            closeAll(selector, channel);
            throw new RdmaException(
                    "cannot open UDP port " + port + " at " + local.getHostAddress() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public int receive(long timeoutNanos) throws IOException {
        received.clear();
        drain();
        if (received.count() == 0 && timeoutNanos > 0) {
            await(timeoutNanos);
            drain();
        }
        return received.count();
    }

    private void await(long timeoutNanos) throws IOException {
        if (wakeup.beginWait()) {
            long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
            selector.select(any -> { }, millis);
            wakeup.endWait();
        }
    }

    private void drain() throws IOException {
        for (int slot = 0; slot < SLOTS; slot++) {
            int offset = (int) ReceiveBatch.slotOffset(slot);
            receiveView.limit(offset + ReceiveBatch.ROOM).position(offset);
            if (!(channel.receive(receiveView) instanceof InetSocketAddress source)) {
                return;
            }
            received.add(slot, receiveView.position() - offset, sourceOf(source), source.getPort());
        }
    }

    private Peer sourceOf(InetSocketAddress source) {
        InetAddress address = source.getAddress();
        if (!address.equals(lastSource.getAddress())) {
            Gid gid = Gid.of(address);
            lastPeer = peers.find(gid.subnetPrefix(), gid.interfaceId());
            lastSource = source;
        }
        return lastPeer;
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
        long deadline = 0;
        for (int i = 0; i < sending.count(); i++) {
            while (!send(i)) {
                long now = System.nanoTime();
                deadline = deadline == 0 ? now + TimeUnit.MILLISECONDS.toNanos(ROOM_MILLIS) : deadline;
                if (now - deadline >= 0) {
                    counters.add(Name.TX_NO_ROOM, sending.count() - i);
                    sending.clear();
                    return;
                }
                awaitRoom();
            }
        }
        sending.clear();
    }

    private void awaitRoom() throws IOException {
        key.interestOps(SelectionKey.OP_WRITE);
        selector.select(any -> { }, 1);
        key.interestOps(SelectionKey.OP_READ);
    }

    /** Returns false when the kernel has no room now. */
    private boolean send(int i) throws IOException {
        int offset = (int) SendBatch.slotOffset(i);
        int length = sending.length(i);
        try {
            if (channel.send(sendView.limit(offset + length).position(offset), sending.destination(i).address()) == 0) {
                return false;
            }
            counters.add(Name.TX_PACKETS, 1);
            counters.add(Name.TX_BYTES, length);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            // the kernel's words are all that tells why
            String reason = String.valueOf(e.getMessage());
            failures.send(sending.destination(i), reason.contains("too long"), reason);
        }
        return true;
    }

    @Override
    public void wakeup() {
        if (wakeup.request()) {
            selector.wakeup();
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
        closeAll(selector, channel);
    }

    private static void closeAll(Selector selector, DatagramChannel channel) {
        try (channel; selector) {
            LOG.trace("closing {}", channel);
        } catch (IOException e) {
            LOG.warn("closing a socket failed", e);
        }
    }
}
