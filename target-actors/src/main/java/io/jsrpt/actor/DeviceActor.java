package io.jsrpt.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import io.jsrpt.channel.ChannelSettings;
import io.jsrpt.rdma.PortAttributes;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.scsi.DeviceServer;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.srp.LoginCheck;
import io.jsrpt.srp.LoginLimits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One RDMA device ({@code srpt_add_one}, {@code srpt_remove_one}): owns its protection domain, and has a CM actor for
 * each service that the device shall listen to. Listeners are opened last and closed first: no event can arrive before
 * everything it needs is there, nor after it is gone.
 */
final class DeviceActor {
    /** The dispatcher of channel actors, in the actor system's configuration. */
    static final String CHANNEL_DISPATCHER = "jsrpt.actor.channel-dispatcher";

    private final ActorContext<Command> context;
    private final TimerScheduler<Command> timers;
    private final RdmaDevice device;
    private final Spec spec;
    private final ProtectionDomain pd;
    private final Map<ServiceId, ActorRef<CmActor.Command>> listeners = new LinkedHashMap<>();
    private final Set<ServiceId> listening = new HashSet<>();
    private boolean closing;

    private DeviceActor(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            RdmaDevice device,
            Spec spec,
            ProtectionDomain pd) {
        this.context = context;
        this.timers = timers;
        this.device = device;
        this.spec = spec;
        this.pd = pd;
    }

    /** Makes the behavior of a channel actor. */
    interface ChannelFactory {
        /** A channel of this port that waits for the offer of its id. */
        Behavior<ChannelActor.Command> create(ChannelActor.Port port, LoginAttempt attempt);
    }

    /** What all devices of a target have in common. */
    record Spec(
            TargetSettings settings,
            DeviceServer server,
            ActorRef<NexusRegistry.Command> registry,
            Map<LogicalUnit, ActorRef<LogicalUnitActor.Command>> units,
            ChannelFactory channels,
            ActorRef<TargetCommand> target) {
        /** The services that a device shall listen to, of those that it can. */
        List<ServiceId> services(RdmaDevice device) {
            List<ServiceId> services = new ArrayList<>();
            settings.rdmaCmPort().ifPresent(port -> services.add(ServiceId.rdmaTcp(port)));
            if (settings.infinibandService()) {
                services.add(new ServiceId(settings.serviceId()));
            }
            return services.stream().filter(device::listensTo).toList();
        }
    }

    /** Opens the device's resources; when that fails, tells the target why and stops. */
    static Behavior<Command> create(RdmaDevice device, Spec spec) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            ProtectionDomain pd;
            try {
                pd = device.allocateProtectionDomain();
            } catch (RdmaException e) {
                context.getLog().error("{} cannot be used", device.name(), e);
                spec.services(device).forEach(service -> spec.target().tell(
                        new TargetActor.ListenerChanged(listener(device, service, false, e.getMessage()))));
                return Behaviors.stopped();
            }
            DeviceActor actor = new DeviceActor(context, timers, device, spec, pd);
            spec.services(device).forEach(actor::listen);
            return Behaviors.receive((_, command) -> actor.onCommand(command), (_, signal) -> actor.onSignal(signal));
        }));
    }

    /** What a device's actor takes. */
    sealed interface Command {}

    /** The service is listened to. */
    record Listening(ServiceId service) implements Command {}

    /** The service is not listened to. */
    record NotListening(ServiceId service, String problem) implements Command {}

    /** No more logins; the connections go on. The target is told when the listeners are destroyed. */
    record StopListening() implements Command {}

    /** Ends all connections in order, then stops. */
    record Shutdown(String reason) implements Command {}

    private record ListenerGone(ServiceId service) implements Command {}

    private record Retry(ServiceId service) implements Command {}

    private Behavior<Command> onCommand(Command command) {
        switch (command) {
            case Listening up -> {
                listening.add(up.service());
                tell(listener(device, up.service(), true, ""));
            }
            case NotListening down -> {
                tell(listener(device, down.service(), false, down.problem()));
                notListening(down.service());
            }
            case StopListening _ -> {
                closing = true;
                timers.cancelAll();
                listeners.values().forEach(cm -> cm.tell(new CmActor.StopListening()));
                tellWhenQuiet();
            }
            case Shutdown shutdown -> {
                closing = true;
                timers.cancelAll();
                listeners.values().forEach(cm -> cm.tell(new CmActor.Shutdown(shutdown.reason())));
                return whenIdle();
            }
            case ListenerGone gone -> {
                listeners.remove(gone.service());
                if (listening.contains(gone.service())) {
                    tell(listener(device, gone.service(), false, "the listener failed"));
                    notListening(gone.service());
                }
                if (!closing) {
                    timers.startSingleTimer(
                            gone.service(), new Retry(gone.service()), spec.settings().timeouts().retry());
                }
                return whenIdle();
            }
            case Retry retry -> listen(retry.service());
        }
        return Behaviors.same();
    }

    private Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            pd.close();
        }
        return Behaviors.same();
    }

    private Behavior<Command> whenIdle() {
        return closing && listeners.isEmpty() ? Behaviors.stopped() : Behaviors.same();
    }

    private void listen(ServiceId service) {
        ChannelActor.Port port = port();
        CmActor.Setup setup = new CmActor.Setup(
                device,
                service,
                attempt -> spec.channels().create(port, attempt),
                DispatcherSelector.fromConfig(CHANNEL_DISPATCHER),
                spec.settings().timeouts().login(),
                context.getSelf());
        ActorRef<CmActor.Command> cm = context.spawnAnonymous(CmActor.create(setup));
        context.watchWith(cm, new ListenerGone(service));
        listeners.put(service, cm);
    }

    /** The settings for this device's channels, within what the device can do. */
    private ChannelActor.Port port() {
        TargetSettings settings = spec.settings();
        ChannelSettings asked = settings.channel();
        int most = device.attributes().maxQueuePairWorkRequests();
        ChannelSettings sizes = new ChannelSettings(
                Math.min(asked.requestQueueSize(), most),
                Math.min(asked.sendQueueSize(), most),
                asked.maxRequestBytes(),
                asked.maxResponseBytes(),
                asked.maxTransferBytes(),
                asked.dataPoolBytes());
        LoginLimits limits = new LoginLimits(
                sizes.maxRequestBytes(),
                Math.max(sizes.maxRequestBytes(), sizes.maxResponseBytes()),
                sizes.requestQueueSize(),
                settings.maxChannels(),
                settings.immediateData());
        return new ChannelActor.Port(
                pd,
                sizes,
                spec.server(),
                new LoginCheck.Circumstances(true, settings.targetPort(), true, 0, limits),
                settings.allowedInitiators(),
                settings.timeouts(),
                spec.registry(),
                spec.units());
    }

    private void notListening(ServiceId service) {
        if (listening.remove(service) && closing) {
            tellWhenQuiet();
        }
    }

    private void tellWhenQuiet() {
        if (listening.isEmpty()) {
            spec.target().tell(new TargetActor.StoppedListening(device.name()));
        }
    }

    private void tell(TargetStatus.Listener listener) {
        spec.target().tell(new TargetActor.ListenerChanged(listener));
    }

    private static TargetStatus.Listener listener(
            RdmaDevice device, ServiceId service, boolean listening, String problem) {
        List<PortAttributes> ports = device.ports();
        return new TargetStatus.Listener(
                device.name(),
                ports.stream().flatMap(port -> port.gids().stream()).toList(),
                service,
                listening,
                problem);
    }
}
