package io.jsrpt.rdma;

import java.util.List;

/**
 * A port ({@code ibv_query_port}); a snapshot.
 *
 * @param number from 1
 * @param linkLayer what the port is attached to
 * @param active whether the port can carry traffic
 * @param maxMtu the largest path MTU that the link allows
 * @param gids the port's GID table, by index
 */
public record PortAttributes(int number, LinkLayer linkLayer, boolean active, PathMtu maxMtu, List<Gid> gids) {
    public PortAttributes {
        gids = List.copyOf(gids);
    }

    /** What a port is attached to. */
    public enum LinkLayer {
        INFINIBAND,
        ETHERNET
    }
}
