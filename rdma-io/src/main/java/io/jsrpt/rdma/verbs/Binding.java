package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.Optional;

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
        return bound(address, id -> {
            long device = Raw.getLong(Raw.getLong(id + Layouts.CmIdStruct.VERBS) + Layouts.Context.DEVICE);
            Context context = Context.open(device);
            int port = Raw.getByte(id + Layouts.CmIdStruct.PORT_NUM);
            return new Opened(new Binding(port, SocketAddress.gid(id + Layouts.CmIdStruct.SGID)), context);
        });
    }

    /** Why no device can be opened for an address, in one line. */
    static Optional<String> problem(InetAddress address) {
        try {
            bound(address, id -> id);
            return Optional.empty();
        } catch (RdmaException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Looks at an id that is bound to the address, and so to a device, during the call. */
    private static <T> T bound(InetAddress address, Look<T> look) throws RdmaException {
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
                LayoutCheck.id(id, channel);
                if (Rdmacm.bindAddr(id, SocketAddress.of(arena, address, 0)) != 0) {
                    throw noDevice(address, Errno.last());
                }
                if (Raw.getLong(id + Layouts.CmIdStruct.VERBS) == 0) {
                    throw noDevice(address, Errno.ENODEV);
                }
                return look.at(id);
            } finally {
                Rdmacm.destroyId(id);
            }
        } finally {
            Rdmacm.destroyEventChannel(channel);
        }
    }

    private static RdmaException noDevice(InetAddress address, int errno) {
        return new RdmaException(
            "no RDMA device has the address " + address.getHostAddress() + ": " + Errno.text(errno));
    }

    private interface Look<T> {
        T at(long id) throws RdmaException;
    }
}
