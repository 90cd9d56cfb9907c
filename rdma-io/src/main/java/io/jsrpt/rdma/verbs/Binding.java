package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;

/**
 * Which port of a device a local address belongs to, as the connection manager says.
 *
 * @param port the number of the port
 * @param gid the GID that the address has there
 */
record Binding(int port, Gid gid) {
    /** A device opened for an address. */
    record Opened(Binding binding, Context context) {}

    /** Opens the device that an address belongs to. */
    static Opened open(InetAddress address) throws RdmaException {
        long channel = Rdmacm.createEventChannel();
        if (channel == 0) {
            throw Errno.failed("rdma_create_event_channel", Errno.last());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(8, 8);
            if (Rdmacm.createId(channel, made) != 0) {
                throw Errno.failed("rdma_create_id", Errno.last());
            }
            long id = made.get(ValueLayout.JAVA_LONG, 0);
            try {
                return open(id, channel, address, arena);
            } finally {
                Rdmacm.destroyId(id);
            }
        } finally {
            Rdmacm.destroyEventChannel(channel);
        }
    }

    private static Opened open(long id, long channel, InetAddress address, Arena arena) throws RdmaException {
        LayoutCheck.id(id, channel);
        if (Rdmacm.bindAddr(id, SocketAddress.of(arena, address, 0)) != 0) {
            throw noDevice(address, Errno.last());
        }
        long verbs = Raw.getLong(id + Layouts.CmIdStruct.VERBS);
        if (verbs == 0) {
            throw noDevice(address, Errno.ENODEV);
        }
        Context context = Context.open(Raw.getLong(verbs + Layouts.Context.DEVICE));
        int port = Raw.getByte(id + Layouts.CmIdStruct.PORT_NUM);
        return new Opened(new Binding(port, SocketAddress.gid(id + Layouts.CmIdStruct.SGID)), context);
    }

    private static RdmaException noDevice(InetAddress address, int errno) {
        return new RdmaException(
            "no RDMA device has the address " + address.getHostAddress() + ": " + Errno.text(errno));
    }
}
