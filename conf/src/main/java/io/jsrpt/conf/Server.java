package io.jsrpt.conf;

import io.jsrpt.actor.AllowedInitiators;
import io.jsrpt.actor.SrpTarget;
import io.jsrpt.actor.TargetSettings;
import io.jsrpt.actor.TargetStatus;
import io.jsrpt.actor.TargetTimeouts;
import io.jsrpt.channel.ChannelSettings;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaProvider;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import io.jsrpt.srp.PortId;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;

/** A running target and what it was started with. All methods may be called from any thread. */
final class Server implements AutoCloseable {
    private static final int SEND_QUEUE = 1024;
    private static final int MAX_RESPONSE = 256;
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final OpenUnits units;
    private final SrpTarget target;
    private final List<RdmaDevice> devices;
    private final CapacityCheck capacityCheck;
    private volatile boolean closing;

    private Server(OpenUnits units, SrpTarget target, List<RdmaDevice> devices, CapacityCheck capacityCheck) {
        this.units = units;
        this.target = target;
        this.devices = devices;
        this.capacityCheck = capacityCheck;
    }

    /**
     * Opens the stores, then the RDMA service, then the target; when one fails, closes those before it.
     *
     * @throws StartException with a line for the operator
     */
    static Server start(Configuration configuration, RdmaProvider provider, List<InetAddress> addresses)
            throws StartException {
        Configuration.Limits limits = configuration.limits();
        OpenUnits units = OpenUnits.open(configuration.logicalUnits(), limits.maxTransfer());
        try {
            TargetSettings settings = settings(configuration, units);
            RdmaService service = provider.open(new RdmaSettings(addresses, limits.pathMtu(), limits.socketBuffer()));
            List<RdmaDevice> devices = List.copyOf(service.devices());
            SrpTarget target = SrpTarget.start(service, settings, configuration.whole());
            return new Server(units, target, devices,
                CapacityCheck.start(units.byNumber(), configuration.capacityCheck()));
        } catch (RdmaException e) {
            units.close();
            throw new StartException(e.getMessage() + hint(e), e);
        } catch (RuntimeException e) {
            units.close();
            throw e;
        }
    }

    /** What an operator finds out last: who holds RoCE's port. */
    private static String hint(RdmaException e) {
        return String.valueOf(e.getMessage()).contains("in use")
            ? "; another target on this host has the port, or the kernel's soft-RoCE (rdma link; modprobe -r rdma_rxe)"
            : "";
    }

    static TargetSettings settings(Configuration configuration, OpenUnits units) {
        Configuration.Limits limits = configuration.limits();
        Configuration.Timeouts timeouts = configuration.timeouts();
        Configuration.Target target = configuration.target();
        ChannelSettings channel = new ChannelSettings(limits.queueDepth(), SEND_QUEUE, limits.maxItIuLength(),
            MAX_RESPONSE, limits.maxTransfer(), limits.bufferMemoryPerChannel());
        return new TargetSettings(target.name(), new PortId(target.idExt(), target.iocGuid()),
            OptionalInt.of(configuration.port()), true, channel, limits.channelsPerNexus(), limits.immediateData(),
            units.byNumber(),
            configuration.allowedInitiators().map(AllowedInitiators::of).orElse(AllowedInitiators.EVERYONE),
            new TargetTimeouts(timeouts.login(), timeouts.establish(), timeouts.probe(), timeouts.disconnect(),
                timeouts.drain(), timeouts.shutdown(), RETRY));
    }

    /** The addresses at which the target does not listen to its RDMA/CM port, and why; it goes on trying. */
    Map<InetAddress, String> problems() {
        Map<InetAddress, String> problems = new LinkedHashMap<>();
        for (TargetStatus.Listener listener : status().toCompletableFuture().join().listeners()) {
            if (!listener.listening() && listener.service().rdmaTcpPort().isPresent()) {
                listener.addresses().forEach(gid -> problems.put(gid.toAddress(), listener.problem()));
            }
        }
        return problems;
    }

    CompletionStage<TargetStatus> status() {
        return target.status();
    }

    List<RdmaDevice> devices() {
        return devices;
    }

    /**
     * Waits until the target has stopped.
     *
     * @return whether {@link #close} made it stop
     */
    boolean awaitStopped() {
        target.whenStopped().toCompletableFuture().join();
        return closing;
    }

    /** Ends the sessions, then the target, then closes the stores. Idempotent, and bounded by the shutdown timeout. */
    @Override
    public void close() {
        closing = true;
        try (units; capacityCheck) {
            target.close();
        }
    }
}
