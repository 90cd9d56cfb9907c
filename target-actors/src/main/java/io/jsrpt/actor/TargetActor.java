package io.jsrpt.actor;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.SupervisorStrategy;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.scsi.DeviceServer;
import io.jsrpt.scsi.LogicalUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The whole target: owns the RDMA service, and supervises one actor for each device, one for each logical unit and the
 * nexus registry. What a failure costs: a channel's, its connection; a listener's, its connections; a device's, its
 * connections; and the device or the listener is opened again after a while. The registry and the logical units keep
 * their state over a failure, which costs the message that caused it.
 *
 * <p>Shutdown: first nobody listens any more, on any device; then the sessions end; then the actors stop.
 */
final class TargetActor {
    private final ActorContext<TargetCommand> context;
    private final TimerScheduler<TargetCommand> timers;
    private final RdmaService service;
    private final TargetSettings settings;
    private final DeviceActor.Spec spec;
    private final Map<String, ActorRef<DeviceActor.Command>> devices = new LinkedHashMap<>();
    private final Map<ListenerKey, TargetStatus.Listener> listeners = new LinkedHashMap<>();
    private final List<ActorRef<TargetStatus>> awaitingListening = new ArrayList<>();
    private final List<ActorRef<Done>> awaitingShutdown = new ArrayList<>();
    /** While shutting down: the devices that may still listen. */
    private final Set<String> mayListen = new HashSet<>();
    private boolean closing;

    private TargetActor(
            ActorContext<TargetCommand> context,
            TimerScheduler<TargetCommand> timers,
            RdmaService service,
            TargetSettings settings,
            DeviceActor.ChannelFactory channels) {
        this.context = context;
        this.timers = timers;
        this.service = service;
        this.settings = settings;
        Map<LogicalUnit, ActorRef<LogicalUnitActor.Command>> units = new LinkedHashMap<>();
        settings.logicalUnits().forEach((number, unit) -> units.computeIfAbsent(unit,
                u -> context.spawn(keepingState(LogicalUnitActor.create(u)), "lun-" + number,
                        DispatcherSelector.fromConfig(LogicalUnitActor.DISPATCHER))));
        this.spec = new DeviceActor.Spec(
                settings,
                new DeviceServer(settings.logicalUnits()),
                context.spawn(keepingState(NexusRegistry.create()), "nexuses"),
                Map.copyOf(units),
                channels,
                context.getSelf());
        service.devices().forEach(this::open);
    }

    static Behavior<TargetCommand> create(
            RdmaService service, TargetSettings settings, DeviceActor.ChannelFactory channels) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            TargetActor actor = new TargetActor(context, timers, service, settings, channels);
            return Behaviors.receive((_, command) -> actor.onCommand(command), (_, signal) -> actor.onSignal(signal));
        }));
    }

    /** A listener's state has changed. */
    record ListenerChanged(TargetStatus.Listener listener) implements TargetCommand.Internal {}

    /** A device's listeners are destroyed. */
    record StoppedListening(String device) implements TargetCommand.Internal {}

    /** A device's actor has stopped. */
    record DeviceGone(RdmaDevice device) implements TargetCommand.Internal {}

    /** It is time to open a device again. */
    record RetryDevice(RdmaDevice device) implements TargetCommand.Internal {}

    /** The sessions had time enough to end. */
    record ShutdownTimeout() implements TargetCommand.Internal {}

    private record ListenerKey(String device, ServiceId service) {}

    private Behavior<TargetCommand> onCommand(TargetCommand command) {
        switch (command) {
            case TargetCommand.GetStatus get -> context.spawnAnonymous(StatusCollector.create(
                    settings.name(), List.copyOf(listeners.values()), spec.registry(), get.replyTo()));
            case TargetCommand.AwaitListening await -> {
                awaitingListening.add(await.replyTo());
                tellIfListening();
            }
            case TargetCommand.CloseSession close ->
                spec.registry().tell(new NexusRegistry.CloseSession(close.sessionName(), close.replyTo()));
            case TargetCommand.Shutdown shutdown -> {
                awaitingShutdown.add(shutdown.replyTo());
                return shutdown();
            }
            case TargetCommand.Internal internal -> {
                return onInternal(internal);
            }
        }
        return Behaviors.same();
    }

    private Behavior<TargetCommand> onInternal(TargetCommand.Internal internal) {
        switch (internal) {
            case ListenerChanged changed -> {
                TargetStatus.Listener listener = changed.listener();
                listeners.put(new ListenerKey(listener.device(), listener.service()), listener);
                tellIfListening();
            }
            case StoppedListening stopped -> {
                mayListen.remove(stopped.device());
                endSessionsWhenQuiet();
            }
            case DeviceGone gone -> {
                devices.remove(gone.device().name());
                if (closing) {
                    mayListen.remove(gone.device().name());
                    endSessionsWhenQuiet();
                    return stopWhenIdle();
                }
                timers.startSingleTimer(
                        gone.device().name(), new RetryDevice(gone.device()), settings.timeouts().retry());
            }
            case RetryDevice retry -> open(retry.device());
            case ShutdownTimeout _ -> {
                context.getLog().warn("sessions did not end within {}, cutting them", settings.timeouts().shutdown());
                return Behaviors.stopped();
            }
        }
        return Behaviors.same();
    }

    private Behavior<TargetCommand> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            // All children have stopped: nothing is left that could use the service.
            try {
                service.close();
            } finally {
                awaitingShutdown.forEach(waiting -> waiting.tell(Done.getInstance()));
            }
            context.getLog().info("target {} has stopped", settings.name());
        }
        return Behaviors.same();
    }

    private void open(RdmaDevice device) {
        ActorRef<DeviceActor.Command> actor = context.spawnAnonymous(DeviceActor.create(device, spec));
        context.watchWith(actor, new DeviceGone(device));
        devices.put(device.name(), actor);
    }

    private Behavior<TargetCommand> shutdown() {
        if (!closing) {
            closing = true;
            timers.cancelAll();
            timers.startSingleTimer(new ShutdownTimeout(), settings.timeouts().shutdown());
            mayListen.addAll(devices.keySet());
            devices.values().forEach(device -> device.tell(new DeviceActor.StopListening()));
        }
        return stopWhenIdle();
    }

    private void endSessionsWhenQuiet() {
        if (closing && mayListen.isEmpty()) {
            devices.values().forEach(device -> device.tell(new DeviceActor.Shutdown("the target shuts down")));
        }
    }

    private Behavior<TargetCommand> stopWhenIdle() {
        return devices.isEmpty() ? Behaviors.stopped() : Behaviors.same();
    }

    private void tellIfListening() {
        int expected = service.devices().stream()
                .mapToInt(device -> spec.services(device).size())
                .sum();
        if (listeners.size() >= expected) {
            TargetStatus status =
                    new TargetStatus(settings.name(), List.copyOf(listeners.values()), List.of());
            awaitingListening.forEach(waiting -> waiting.tell(status));
            awaitingListening.clear();
        }
    }

    private static <T> Behavior<T> keepingState(Behavior<T> behavior) {
        return Behaviors.supervise(behavior).onFailure(SupervisorStrategy.resume());
    }
}
