package io.jsrpt.rdma.roce;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** RoCEv2 packets of a Linux initiator and the Linux target, caught on the wire (IPv4 over Ethernet, pcap format). */
final class Capture {
    private static final int ETHERNET = 14;
    private static final int BEFORE_BTH = ETHERNET + 20 + 8;

    private Capture() {}

    static List<Packet> packets() {
        return packets("linux-initiator.pcap");
    }

    private static List<Packet> packets(String resource) {
        try (InputStream in = Capture.class.getResourceAsStream(resource)) {
            ByteBuffer file = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN).position(24);
            List<Packet> packets = new ArrayList<>();
            while (file.hasRemaining()) {
                file.position(file.position() + 8);
                byte[] frame = new byte[file.getInt()];
                file.getInt();
                file.get(frame);
                packets.add(packet(frame));
            }
            return packets;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Packet packet(byte[] frame) throws UnknownHostException {
        ByteBuffer b = ByteBuffer.wrap(frame);
        return new Packet(
                InetAddress.getByAddress(Arrays.copyOfRange(frame, ETHERNET + 12, ETHERNET + 16)),
                InetAddress.getByAddress(Arrays.copyOfRange(frame, ETHERNET + 16, ETHERNET + 20)),
                Short.toUnsignedInt(b.getShort(ETHERNET + 4)),
                Short.toUnsignedInt(b.getShort(ETHERNET + 20)),
                Arrays.copyOfRange(frame, BEFORE_BTH, frame.length));
    }

    /**
     * A packet.
     *
     * @param identification of the IPv4 header
     * @param bytes from BTH to ICRC
     */
    record Packet(
            InetAddress source, InetAddress destination, int identification, int sourcePort, byte[] bytes) {}
}
