package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.DeviceAttributes;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.PortAttributes.LinkLayer;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * An opened device ({@code ibv_context}) of this provider's own: another user of the same device in this process, or
 * the library's connection manager, has another one, with its own events.
 */
final class Context {
    private static final ValueLayout.OfLong BIG_ENDIAN_LONG =
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort BIG_ENDIAN_SHORT =
        ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    private final long pointer;
    private final String name;
    private final MemorySegment pollCq;
    private final MemorySegment reqNotifyCq;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final MemorySegment postSharedReceive;
    private final DeviceAttributes attributes;
    private final int ports;

    private Context(long pointer, String name) throws RdmaException {
        this.pointer = pointer;
        this.name = name;
        pollCq = Raw.function(Raw.getLong(pointer + Layouts.Context.POLL_CQ));
        reqNotifyCq = Raw.function(Raw.getLong(pointer + Layouts.Context.REQ_NOTIFY_CQ));
        postSend = Raw.function(Raw.getLong(pointer + Layouts.Context.POST_SEND));
        postReceive = Raw.function(Raw.getLong(pointer + Layouts.Context.POST_RECV));
        postSharedReceive = Raw.function(Raw.getLong(pointer + Layouts.Context.POST_SRQ_RECV));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(Layouts.DeviceAttr.BYTES, 8);
            int failed = Ibverbs.queryDevice(pointer, attr);
            if (failed != 0) {
                throw Errno.failed(name + ": ibv_query_device", failed);
            }
            ports = attr.get(ValueLayout.JAVA_BYTE, Layouts.DeviceAttr.PHYS_PORT_CNT);
            attributes = attributes(attr, query(1).maxMessageBytes());
        }
    }

    private static DeviceAttributes attributes(MemorySegment attr, long maxMessageBytes) {
        return new DeviceAttributes(
            attr.get(BIG_ENDIAN_LONG, Layouts.DeviceAttr.NODE_GUID),
            attr.get(ValueLayout.JAVA_INT, Layouts.DeviceAttr.VENDOR_ID) & 0xff_ffff,
            attr.get(ValueLayout.JAVA_INT, Layouts.DeviceAttr.VENDOR_PART_ID),
            attr.get(ValueLayout.JAVA_INT, Layouts.DeviceAttr.HW_VER),
            attr.get(ValueLayout.JAVA_INT, Layouts.DeviceAttr.MAX_QP_WR),
            attr.get(ValueLayout.JAVA_INT, Layouts.DeviceAttr.MAX_SRQ_WR),
            Math.min(255, attr.get(ValueLayout.JAVA_INT, Layouts.DeviceAttr.MAX_QP_INIT_RD_ATOM)),
            Math.min(255, attr.get(ValueLayout.JAVA_INT, Layouts.DeviceAttr.MAX_QP_RD_ATOM)),
            maxMessageBytes);
    }

    /**
     * Opens a device and checks that its structures are the ones known here.
     *
     * @param device the library's, valid during the call
     */
    static Context open(long device) throws RdmaException {
        String name = Ibverbs.getDeviceName(device);
        long pointer = Ibverbs.openDevice(device);
        if (pointer == 0) {
            throw Errno.failed(name + " cannot be opened: ibv_open_device", Errno.last());
        }
        try {
            LayoutCheck.context(pointer, device, name);
            Context made = new Context(pointer, name);
            LayoutCheck.objects(made);
            return made;
        } catch (RdmaException | RuntimeException e) {
            Ibverbs.closeDevice(pointer);
            throw e;
        }
    }

    /** Frees it; everything that was made with it must have been freed before. */
    void close() throws RdmaException {
        int failed = Ibverbs.closeDevice(pointer);
        if (failed != 0) {
            throw Errno.failed(name + ": ibv_close_device", failed);
        }
    }

    long pointer() {
        return pointer;
    }

    String name() {
        return name;
    }

    int asyncDescriptor() {
        return Raw.getInt(pointer + Layouts.Context.ASYNC_FD);
    }

    MemorySegment pollCq() {
        return pollCq;
    }

    MemorySegment reqNotifyCq() {
        return reqNotifyCq;
    }

    MemorySegment postSend() {
        return postSend;
    }

    MemorySegment postReceive() {
        return postReceive;
    }

    MemorySegment postSharedReceive() {
        return postSharedReceive;
    }

    DeviceAttributes attributes() {
        return attributes;
    }

    int ports() {
        return ports;
    }

    /** What the device tells of a port now. */
    Port query(int port) throws RdmaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(Layouts.PortAttr.BYTES, 8);
            int failed = Ibverbs.queryPort(pointer, port, attr);
            if (failed != 0) {
                throw Errno.failed(name + ": ibv_query_port " + port, failed);
            }
            int layer = attr.get(ValueLayout.JAVA_BYTE, Layouts.PortAttr.LINK_LAYER);
            return new Port(
                port,
                attr.get(ValueLayout.JAVA_INT, Layouts.PortAttr.STATE),
                layer == Ibverbs.LINK_LAYER_ETHERNET ? LinkLayer.ETHERNET : LinkLayer.INFINIBAND,
                mtu(attr.get(ValueLayout.JAVA_INT, Layouts.PortAttr.ACTIVE_MTU)),
                attr.get(ValueLayout.JAVA_INT, Layouts.PortAttr.GID_TBL_LEN),
                Integer.toUnsignedLong(attr.get(ValueLayout.JAVA_INT, Layouts.PortAttr.MAX_MSG_SZ)));
        }
    }

    /** A port of a device that does not answer any more. */
    Port absent(int port) {
        return new Port(port, 0, LinkLayer.ETHERNET, PathMtu.MTU_256, 0, 0);
    }

    private static PathMtu mtu(int code) {
        return PathMtu.ofCode(Math.clamp(code, PathMtu.MTU_256.code(), PathMtu.MTU_4096.code()));
    }

    /** The entries of a port's GID table that are in use. */
    List<Gid> gids(int port, int length) {
        List<Gid> gids = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = arena.allocate(16, 8);
            for (int i = 0; i < length; i++) {
                if (Ibverbs.queryGid(pointer, port, i, gid) == 0) {
                    Gid entry = new Gid(gid.get(BIG_ENDIAN_LONG, 0), gid.get(BIG_ENDIAN_LONG, 8));
                    // RoCE has each address twice, for its two versions
                    if (!entry.equals(new Gid(0, 0)) && !gids.contains(entry)) {
                        gids.add(entry);
                    }
                }
            }
        }
        return List.copyOf(gids);
    }

    /** A partition key of a port's table, 0 when there is none. */
    int partitionKey(int port, int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pkey = arena.allocate(2, 2);
            return Ibverbs.queryPkey(pointer, port, index, pkey) == 0 ? pkey.get(BIG_ENDIAN_SHORT, 0) & 0xffff : 0;
        }
    }

    /**
     * A port.
     *
     * @param state {@code enum ibv_port_state}
     * @param activeMtu the largest path MTU that the link allows now
     * @param gids the length of its GID table
     */
    record Port(int number, int state, LinkLayer linkLayer, PathMtu activeMtu, int gids, long maxMessageBytes) {
        boolean active() {
            return state == Ibverbs.PORT_ACTIVE;
        }
    }
}
