package io.jsrpt.actor;

import io.jsrpt.channel.ChannelStatistics;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.srp.PortId;
import java.util.List;

/**
 * A snapshot of a target.
 *
 * @param name the target's
 * @param listeners one for each device and service that it shall listen to
 * @param sessions the sessions that have a channel
 */
public record TargetStatus(String name, List<Listener> listeners, List<Session> sessions) {
    public TargetStatus {
        listeners = List.copyOf(listeners);
        sessions = List.copyOf(sessions);
    }

    /**
     * A service on a device.
     *
     * @param addresses the GIDs of the device's ports
     * @param listening whether connection requests are taken
     * @param problem why not, in a line; empty when it listens
     */
    public record Listener(
            String device, List<Gid> addresses, ServiceId service, boolean listening, String problem) {
        public Listener {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * A session: the channels of one I_T nexus through one pair of ports.
     *
     * @param name the initiator's address and its port identifier; as in the logs
     * @param remote the initiator's port
     * @param local the target's port
     */
    public record Session(
            String name, PortId initiatorPort, PortId targetPort, Gid remote, Gid local, List<Channel> channels) {
        public Session {
            channels = List.copyOf(channels);
        }
    }

    /**
     * An RDMA channel.
     *
     * @param number of its connection; as in the logs
     * @param statistics what it has counted and holds, credits among it
     */
    public record Channel(long number, ChannelState state, ChannelStatistics statistics) {}
}
