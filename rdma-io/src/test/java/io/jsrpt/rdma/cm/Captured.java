package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.Gid;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** CM datagrams of a real conversation: Linux 6.1 ib_srp (10.77.0.2) with the kernel target (10.77.0.3). */
final class Captured {
    static final Gid INITIATOR = gid("10.77.0.2");
    static final Gid TARGET = gid("10.77.0.3");

    private Captured() {}

    static byte[] mad(String name) {
        try (InputStream in = Captured.class.getResourceAsStream(name + ".hex")) {
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Gid gid(String address) {
        try {
            return Gid.of(InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address, e);
        }
    }
}
