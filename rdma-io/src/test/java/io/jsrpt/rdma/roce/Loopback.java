package io.jsrpt.rdma.roce;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Addresses of 127.0.0.0/8 that no other process on this host uses: the RoCE port is one number for all. */
final class Loopback {
    private Loopback() {}

    static List<InetAddress> addresses(int count) {
        long pid = ProcessHandle.current().pid();
        List<InetAddress> all = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            byte[] raw = {127, (byte) (pid >> 8), (byte) pid, (byte) i};
            try {
                all.add(InetAddress.getByAddress(raw));
            } catch (UnknownHostException e) {
                throw new AssertionError("four bytes are always an address", e);
            }
        }
        return all;
    }
}
