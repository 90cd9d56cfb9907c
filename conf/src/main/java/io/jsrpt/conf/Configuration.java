package io.jsrpt.conf;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigOrigin;
import io.jsrpt.rdma.PathMtu;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A configuration file that was found free of mistakes. The settings are explained in {@code reference.conf}.
 *
 * @param file the file that it was read from
 * @param provider the name of the RDMA provider, or {@code auto}
 * @param addresses where to listen, as written
 * @param port the RDMA/CM port
 * @param target who the target is
 * @param allowedInitiators the names that may log in; empty: any
 * @param limits what one initiator can use up
 * @param timeouts how long things may take
 * @param capacityCheck how often it is looked whether a store has grown; zero: never
 * @param logicalUnits the logical units, at least one, each with a LUN of its own
 * @param logLevel the level of the log
 * @param whole everything, for the actor system
 */
public record Configuration(Path file, String provider, List<Listen> addresses, int port, Target target,
        Optional<List<String>> allowedInitiators, Limits limits, Timeouts timeouts,
        Duration capacityCheck, List<UnitConfiguration> logicalUnits, LogLevel logLevel, Config whole) {

    public Configuration {
        addresses = List.copyOf(addresses);
        allowedInitiators = allowedInitiators.map(List::copyOf);
        logicalUnits = List.copyOf(logicalUnits);
    }

    /** Levels of the log, from the most to the least talkative. */
    public enum LogLevel { TRACE, DEBUG, INFO, WARN, ERROR }

    /**
     * One entry of {@code addresses}.
     *
     * @param name an IP address or the name of a network interface
     * @param origin where it is written
     */
    public record Listen(String name, ConfigOrigin origin) {
    }

    /**
     * The identity of the target, the same after every restart.
     *
     * @param name the name that identities are derived from
     * @param idExt the first half of the target port identifier
     * @param iocGuid the GUID of the I/O controller, the second half
     */
    public record Target(String name, long idExt, long iocGuid) {
    }

    /**
     * Limits; sizes in bytes.
     *
     * @param maxItIuLength the longest information unit that an initiator may send
     * @param queueDepth commands at a time on a channel
     * @param channelsPerNexus channels of one I_T nexus
     * @param bufferMemoryPerChannel data in flight on a channel
     * @param maxTransfer data of one command
     * @param immediateData whether data may come within a command
     * @param pathMtu the largest payload of a packet
     * @param socketBuffer the kernel buffer of a socket, each way
     */
    public record Limits(int maxItIuLength, int queueDepth, int channelsPerNexus, int bufferMemoryPerChannel,
            int maxTransfer, boolean immediateData, PathMtu pathMtu, int socketBuffer) {
    }

    /**
     * Time limits.
     *
     * @param login from a connection request to its answer
     * @param establish from an accepted login to the initiator's confirmation
     * @param disconnect from a disconnect request until the connection is given up
     * @param probe how long a connection may be silent before it is probed
     * @param drain from the end of a connection until its work under way has ended
     * @param shutdown for all connections to end when the target stops
     * @param waitForAddresses for addresses that the host does not have yet when the target starts
     */
    public record Timeouts(Duration login, Duration establish, Duration probe, Duration disconnect, Duration drain,
            Duration shutdown, Duration waitForAddresses) {
    }
}
