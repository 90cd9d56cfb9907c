package io.jsrpt.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import io.jsrpt.channel.ChannelEvents;
import io.jsrpt.channel.ChannelIo;
import io.jsrpt.channel.ChannelSettings;
import io.jsrpt.channel.PollOutcome;
import io.jsrpt.channel.TaskManagementRequest;
import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.scsi.DeviceServer;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.srp.LoginCheck;
import io.jsrpt.srp.LoginReject;
import io.jsrpt.srp.LoginRequest;
import io.jsrpt.srp.TargetLogout;
import io.jsrpt.srp.TaskManagement;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;

/**
 * One RDMA channel ({@code struct srpt_rdma_ch}): owns the connection's id, its queue pair and completion queue, and
 * the I/O contexts.
 *
 * <p>Each state of {@link ChannelState} is one method that makes a behavior, and each names every command. CONNECTING
 * has three: waiting for the offer of the id, for the nexus's admission, and for the initiator's RTU. Only {@link
 * #enter} changes the state. The actor is never restarted: it stops on failure, and {@link ChannelResources#release}
 * serves every way out.
 */
final class ChannelActor {
    private final ActorContext<Command> context;
    private final TimerScheduler<Command> timers;
    private final Port port;
    private final LoginAttempt attempt;
    private final LoginTerms terms;
    private final ChannelResources resources;
    private ChannelState state = ChannelState.CONNECTING;
    /** Set before the nexus is asked for admission. */
    private Optional<NexusKey> key = Optional.empty();
    /** Whether the nexus was told that this channel is on its way down. */
    private boolean left;
    /** Set with the offer. */
    private Optional<ActorRef<CmActor.Command>> offeredBy = Optional.empty();
    /** The units that do not know of this channel yet; nothing is served before they do. */
    private final Set<LogicalUnit> attaching = new HashSet<>();

    private ChannelActor(
            ActorContext<Command> context, TimerScheduler<Command> timers, Port port, LoginAttempt attempt) {
        this.context = context;
        this.timers = timers;
        this.port = port;
        this.attempt = attempt;
        this.terms = LoginTerms.of(port, attempt);
        this.resources = new ChannelResources(context.getLog());
    }

    /**
     * What all channels of a device have in common. Immutable.
     *
     * @param circumstances of a login, but for the nexus's channels and whether the initiator is allowed
     */
    record Port(
            ProtectionDomain pd,
            ChannelSettings settings,
            DeviceServer server,
            LoginCheck.Circumstances circumstances,
            AllowedInitiators allowed,
            TargetTimeouts timeouts,
            ActorRef<NexusRegistry.Command> registry,
            Map<LogicalUnit, ActorRef<LogicalUnitActor.Command>> units) {}

    /** A channel that waits for {@link TakeOwnership}. */
    static Behavior<Command> create(Port port, LoginAttempt attempt) {
        Behavior<Command> behavior = Behaviors.setup(context ->
                Behaviors.withTimers(timers -> new ChannelActor(context, timers, port, attempt).offered()));
        String session = LoginRequest.decode(attempt.form(), attempt.privateData())
                .map(request -> NexusKey.of(request, attempt).sessionName())
                .orElseGet(() -> AllowedInitiators.address(attempt.remote()));
        Map<String, String> names = Map.of("session", session, "channel", Long.toString(attempt.number()));
        return Behaviors.withMdc(Command.class, names, behavior);
    }

    /** What a channel takes. */
    sealed interface Command {}

    /** The id of the connection request is offered; answered with {@link CmActor.Owned} or {@link CmActor.Refused}. */
    record TakeOwnership(Ownership.Offer<CmId> offer, ActorRef<CmActor.Command> replyTo) implements Command {}

    /** An event of the channel's id. */
    record ConnectionEvent(CmEvent event) implements Command {}

    /** The nexus takes the channel, with this answer to the login. */
    record Admitted(LoginCheck.Accepted login) implements Command {}

    /** The nexus does not take the channel. */
    record Denied(LoginCheck.Refused refusal) implements Command {}

    /** The channel shall end in order. */
    record End(String reason) implements Command {}

    /** Abort the tasks of a unit for another channel's sake; answered with {@link LogicalUnitActor.Aborted}. */
    record AbortTasks(LogicalUnit unit, long operation, ActorRef<LogicalUnitActor.Command> replyTo)
            implements OfUnit {}

    /** What a logical unit's actor says. */
    sealed interface OfUnit extends Command {}

    /** A unit knows of this channel: what it publishes from now on is meant for it too. */
    record Attached(LogicalUnit unit) implements OfUnit {}

    /**
     * Make sure that what a unit's owner has published holds, see {@link ChannelIo#fence}; answered with {@link
     * LogicalUnitActor.Aborted}.
     */
    record Fence(LogicalUnit unit, boolean abort, long operation, ActorRef<LogicalUnitActor.Command> replyTo)
            implements OfUnit {}

    /** All other channels have done what a task management function of this one asks for. */
    record TaskManagementDone(TaskManagementRequest request) implements OfUnit {}

    /** Asks for a snapshot; answered by a channel that has been admitted. */
    record GetStatus(ActorRef<Status> replyTo) implements Command {}

    /** A snapshot, and the session that the channel belongs to. */
    record Status(ActorRef<Command> from, NexusKey key, TargetStatus.Channel channel) {}

    private enum Internal implements Command {
        /** The data path wants to be polled. */
        READY,
        PROBE,
        ESTABLISH_TIMEOUT,
        DISCONNECT_TIMEOUT,
        DRAIN_TIMEOUT,
        /** The stores have let go of everything that outlived the connection. */
        STORES_IDLE
    }

    // CONNECTING: the offer of the id is awaited.

    private Behavior<Command> offered() {
        return state(command -> switch (command) {
            case TakeOwnership offer -> login(offer);
            case End end -> stop(end.reason());
            case ConnectionEvent _, Admitted _, Denied _, OfUnit _, GetStatus _, Internal _ ->
                aside(command);
        });
    }

    private Behavior<Command> login(TakeOwnership offer) {
        offeredBy = Optional.of(offer.replyTo());
        LoginCheck.Circumstances circumstances = terms.circumstances();
        if (!circumstances.initiatorAllowed()) {
            context.getLog().warn("the initiator is not allowed; a rule that allows it has one of the names {}",
                    terms.names());
        }
        return switch (terms.check()) {
            case LoginCheck.Refused refused -> refuse(refused.reject(), refused.why());
            case LoginCheck.Accepted accepted -> {
                if (!resources.accept(offer.offer())) {
                    yield stop("the offer of the connection was withdrawn");
                }
                yield open(accepted);
            }
        };
    }

    private Behavior<Command> open(LoginCheck.Accepted accepted) {
        LoginRequest request = terms.request().orElseThrow();
        NexusKey nexus = NexusKey.of(request, attempt);
        try {
            resources.opened(ChannelIo.open(resources.id(), port.pd(), port.settings(), terms.agreed(accepted),
                    port.server(), nexus.nexus(), new Notices()));
        } catch (RdmaException e) {
            context.getLog().error("the data path cannot be opened", e);
            return refuse(noResources(), e.getMessage());
        }
        key = Optional.of(nexus);
        port.registry().tell(new NexusRegistry.Join(
                context.getSelf(), attempt.number(), nexus, request, terms.circumstances()));
        return admitting();
    }

    // CONNECTING: the nexus's admission is awaited. The id is accepted but can still be given back.

    private Behavior<Command> admitting() {
        return state(command -> switch (command) {
            case Admitted admitted -> reply(admitted.login());
            case Denied denied -> refuse(denied.refusal().reject(), denied.refusal().why());
            case End end -> refuse(noResources(), end.reason());
            case ConnectionEvent told -> switch (EventAnswer.to(told.event(), state)) {
                case ANSWER, ANSWER_AND_DRAIN, DRAIN, ABANDON -> refuse(noResources(), told.event().toString());
                case GO_LIVE, GO_ON, IGNORE_LATE, LOG_IMPOSSIBLE -> aside(command);
            };
            case Internal ready when ready == Internal.READY ->
                poll().<Behavior<Command>>map(why -> refuse(noResources(), why)).orElse(Behaviors.same());
            case TakeOwnership _, OfUnit _, GetStatus _, Internal _ -> aside(command);
        });
    }

    private Behavior<Command> reply(LoginCheck.Accepted login) {
        try {
            // The credits are what the data path has posted receives for, whatever was planned.
            resources.id().accept(terms.parameters(), terms.response(login, resources.io().initialCredits()).encode());
        } catch (RdmaException e) {
            context.getLog().error("the reply cannot be sent", e);
            return refuse(noResources(), e.getMessage());
        }
        resources.own();
        attaching.addAll(port.units().keySet());
        port.units().values().forEach(unit -> unit.tell(
                new LogicalUnitActor.Attach(context.getSelf(), key.orElseThrow().nexus())));
        offeredBy.orElseThrow().tell(new CmActor.Owned(context.getSelf()));
        timers.startSingleTimer(Internal.ESTABLISH_TIMEOUT, port.timeouts().establish());
        return connecting();
    }

    private Behavior<Command> refuse(LoginReject reject, String why) {
        release();
        offeredBy.orElseThrow().tell(new CmActor.Refused(context.getSelf(), reject, why));
        return stop(why);
    }

    // CONNECTING: the reply is sent, the initiator's RTU is awaited. From here on the id is this actor's.

    private Behavior<Command> connecting() {
        return state(command -> switch (command) {
            case ConnectionEvent told -> onEvent(told.event());
            case End end -> disconnect(end.reason());
            case Internal internal -> switch (internal) {
                case READY -> serve();
                case ESTABLISH_TIMEOUT -> disconnect("no RTU in time");
                case PROBE, DISCONNECT_TIMEOUT, DRAIN_TIMEOUT, STORES_IDLE -> aside(command);
            };
            case TakeOwnership _, Admitted _, Denied _, OfUnit _, GetStatus _ ->
                aside(command);
        });
    }

    private Behavior<Command> goLive() {
        enter(ChannelState.LIVE, "the connection is established");
        timers.cancel(Internal.ESTABLISH_TIMEOUT);
        timers.startSingleTimer(Internal.PROBE, port.timeouts().probe());
        context.getLog().info("channel {} of session {} is live", attempt.number(), key.orElseThrow().sessionName());
        if (!attaching.isEmpty()) {
            return live();
        }
        resources.io().live();
        Optional<String> ending = poll();
        return ending.isPresent() ? disconnect(ending.get()) : live();
    }

    // LIVE: commands are served.

    private Behavior<Command> live() {
        return state(command -> switch (command) {
            case Internal internal -> switch (internal) {
                case READY -> serve();
                case PROBE -> {
                    timers.startSingleTimer(Internal.PROBE, port.timeouts().probe());
                    resources.io().probe();
                    yield serve();
                }
                case ESTABLISH_TIMEOUT, DISCONNECT_TIMEOUT, DRAIN_TIMEOUT, STORES_IDLE -> aside(command);
            };
            case ConnectionEvent told -> onEvent(told.event());
            case End end -> {
                resources.io().sendTargetLogout(TargetLogout.NO_REASON);
                yield disconnect(end.reason());
            }
            case Attached attached -> {
                attaching.remove(attached.unit());
                if (attaching.isEmpty()) {
                    resources.io().live();
                }
                yield serve();
            }
            case OfUnit _, GetStatus _, TakeOwnership _, Admitted _, Denied _ ->
                aside(command);
        });
    }

    /** Ends the connection from this side: sends a DREQ. */
    private Behavior<Command> disconnect(String reason) {
        boolean stood = state == ChannelState.LIVE;
        enter(ChannelState.DISCONNECTING, reason);
        resources.io().stopServing();
        resources.id().disconnect();
        leaveNexusOnceQuiet();
        if (!stood) {
            // There may be no connection yet that a DREQ could end, and so no answer; destroying the id rejects it.
            return drain(reason);
        }
        timers.startSingleTimer(Internal.DISCONNECT_TIMEOUT, port.timeouts().disconnect());
        return disconnecting();
    }

    // DISCONNECTING: the DREQ is sent, its answer is awaited.

    private Behavior<Command> disconnecting() {
        return state(command -> switch (command) {
            case Internal internal -> switch (internal) {
                case READY -> {
                    poll().ifPresent(why -> context.getLog().debug("while disconnecting: {}", why));
                    leaveNexusOnceQuiet();
                    yield Behaviors.same();
                }
                case DISCONNECT_TIMEOUT -> drain("no answer to the DREQ in time");
                case PROBE, ESTABLISH_TIMEOUT, DRAIN_TIMEOUT, STORES_IDLE -> aside(command);
            };
            case ConnectionEvent told -> onEvent(told.event());
            case End _, OfUnit _, GetStatus _, TakeOwnership _, Admitted _, Denied _ ->
                aside(command);
        });
    }

    private Behavior<Command> drain(String reason) {
        enter(ChannelState.DRAINING, reason);
        timers.cancelAll();
        resources.io().beginDrain();
        leaveNexusOnceQuiet();
        timers.startSingleTimer(Internal.DRAIN_TIMEOUT, port.timeouts().drain());
        return resources.io().drained() ? finish("nothing was outstanding") : draining();
    }

    // DRAINING: the queue pair is in error, its last completion and those of the stores are awaited.

    private Behavior<Command> draining() {
        return state(command -> switch (command) {
            case Internal internal -> switch (internal) {
                case READY -> {
                    poll().ifPresent(why -> context.getLog().debug("while draining: {}", why));
                    leaveNexusOnceQuiet();
                    yield resources.io().drained() ? finish("drained") : Behaviors.same();
                }
                case DRAIN_TIMEOUT -> finish("not drained in time");
                case PROBE, ESTABLISH_TIMEOUT, DISCONNECT_TIMEOUT, STORES_IDLE -> aside(command);
            };
            case ConnectionEvent told -> onEvent(told.event());
            case End _, OfUnit _, GetStatus _, TakeOwnership _, Admitted _, Denied _ ->
                aside(command);
        });
    }

    // DISCONNECTED: nothing is left to do but to release everything, which stopping does.

    private Behavior<Command> finish(String reason) {
        enter(ChannelState.DISCONNECTED, reason);
        if (resources.io().storesWork()) {
            return outlived();
        }
        leaveNexus();
        return ended();
    }

    private Behavior<Command> ended() {
        context.getLog().info("channel {} has ended", attempt.number());
        return Behaviors.stopped();
    }

    /**
     * The connection is freed, but stores still work for it. The actor stays until they do not, since others take its
     * stop for the end of its tasks: a new session, and a reset of the unit, must come after the last write.
     */
    private Behavior<Command> outlived() {
        context.getLog().warn("the stores still work for channel {}; a new login of its session waits for them",
                attempt.number());
        TargetStatus.Channel last =
                new TargetStatus.Channel(attempt.number(), state, resources.io().statistics());
        ActorRef<Command> self = context.getSelf();
        resources.release(() -> {
            tellReleased(self);
            self.tell(Internal.STORES_IDLE);
        });
        return state(command -> switch (command) {
            case Internal internal when internal == Internal.STORES_IDLE -> ended();
            case GetStatus get -> {
                get.replyTo().tell(new Status(self, key.orElseThrow(), last));
                yield Behaviors.same();
            }
            case Internal _, ConnectionEvent _, End _, OfUnit _, TakeOwnership _, Admitted _, Denied _ -> {
                context.getLog().debug("{} changes nothing any more", command);
                yield Behaviors.same();
            }
        });
    }

    /** The answer to a connection manager's event, once the id is this actor's. */
    private Behavior<Command> onEvent(CmEvent event) {
        String reason = event.getClass().getSimpleName();
        return switch (EventAnswer.to(event, state)) {
            case GO_LIVE -> goLive();
            case ANSWER_AND_DRAIN -> {
                resources.id().disconnect();
                yield drain(reason);
            }
            case ANSWER -> {
                resources.id().disconnect();
                yield Behaviors.same();
            }
            case DRAIN -> drain(reason);
            case ABANDON -> finish(reason);
            case GO_ON, IGNORE_LATE -> {
                context.getLog().debug("{} changes nothing in {}", reason, state);
                yield Behaviors.same();
            }
            case LOG_IMPOSSIBLE -> {
                context.getLog().error("the provider told {} in {}", reason, state);
                yield Behaviors.same();
            }
        };
    }

    /** What is answered alike in every state, or of no concern to the present one. */
    private Behavior<Command> aside(Command command) {
        switch (command) {
            case GetStatus get -> key.ifPresent(nexus -> get.replyTo().tell(new Status(context.getSelf(), nexus,
                    new TargetStatus.Channel(attempt.number(), state, resources.io().statistics()))));
            case OfUnit told -> onUnit(told);
            case TakeOwnership _, ConnectionEvent _, Admitted _, Denied _, End _, Internal _ ->
                context.getLog().debug("{} changes nothing in {}", command, state);
        }
        return Behaviors.same();
    }

    private void onUnit(OfUnit told) {
        switch (told) {
            case Attached attached -> attaching.remove(attached.unit());
            case AbortTasks abort -> {
                boolean any = resources.isOpen() && resources.io().hasTasks(abort.unit());
                Runnable gone = () -> abort.replyTo().tell(
                        new LogicalUnitActor.Aborted(context.getSelf(), abort.operation(), any));
                if (resources.isOpen()) {
                    resources.io().abortTasks(abort.unit(), gone);
                } else {
                    gone.run();
                }
            }
            case Fence fence -> {
                Runnable done = () -> fence.replyTo().tell(
                        new LogicalUnitActor.Aborted(context.getSelf(), fence.operation(), fence.abort()));
                if (resources.isOpen()) {
                    resources.io().fence(fence.unit(), fence.abort(), done);
                } else {
                    done.run();
                }
            }
            case TaskManagementDone done ->
                resources.io().completeTaskManagement(done.request(), TaskManagement.COMPLETE);
        }
    }

    private Behavior<Command> serve() {
        Optional<String> ending = poll();
        return ending.isPresent() ? disconnect(ending.get()) : Behaviors.same();
    }

    /** Serves the data path; the reason when the connection must end. */
    private Optional<String> poll() {
        return switch (resources.io().poll()) {
            case PollOutcome.Continue _ -> Optional.empty();
            case PollOutcome.LoggedOut _ -> Optional.of("the initiator logged out");
            case PollOutcome.Flushed _ -> Optional.of("the queue pair is in error");
            case PollOutcome.Failed failed -> {
                context.getLog().warn("the connection failed: {}", failed.reason());
                yield Optional.of(failed.reason());
            }
            case PollOutcome.ProtocolError error -> {
                context.getLog().warn("the initiator broke the protocol: {}", error.reason());
                resources.io().sendTargetLogout(error.logoutReason());
                yield Optional.of(error.reason());
            }
        };
    }

    private Behavior<Command> stop(String reason) {
        context.getLog().debug("stops before the connection stood: {}", reason);
        return Behaviors.stopped();
    }

    /**
     * A login that waits for this channel's end is admitted only once no write of it can reach a store any more: else
     * one could overwrite what the new session has written since.
     */
    private void leaveNexusOnceQuiet() {
        if (!resources.io().storesWork()) {
            leaveNexus();
        }
    }

    private void leaveNexus() {
        if (!left) {
            left = true;
            port.units().values().forEach(unit -> unit.tell(new LogicalUnitActor.Left(context.getSelf())));
            port.registry().tell(new NexusRegistry.Leaving(context.getSelf(), key.orElseThrow()));
        }
    }

    /** The only way to change the state. */
    private void enter(ChannelState next, String reason) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a channel does not go from " + state + " to " + next + ": " + reason);
        }
        context.getLog().info("channel {}: {} -> {}: {}", attempt.number(), state, next, reason);
        state = next;
    }

    private Behavior<Command> state(Function<Command, Behavior<Command>> onCommand) {
        return Behaviors.receive((_, command) -> onCommand.apply(command), (_, signal) -> onSignal(signal));
    }

    private Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            release();
        }
        return Behaviors.same();
    }

    /** Frees everything; the units are told when no store works for this channel any more. */
    private void release() {
        long number = attempt.number();
        Logger log = context.getLog();
        ActorRef<Command> self = context.getSelf();
        resources.release(() -> {
            log.debug("the memory of channel {} is freed", number);
            tellReleased(self);
        });
    }

    private void tellReleased(ActorRef<Command> self) {
        port.units().values().forEach(unit -> unit.tell(new LogicalUnitActor.Released(self)));
    }

    private LoginReject noResources() {
        return LoginReject.of(LoginReject.Reason.INSUFFICIENT_RESOURCES, attempt.tag());
    }

    /** The data path's notices, from whatever thread, as messages. */
    private final class Notices implements ChannelEvents {
        private final ActorRef<Command> self = context.getSelf();

        @Override
        public void wakeUp() {
            self.tell(Internal.READY);
        }

        @Override
        public void taskManagement(TaskManagementRequest request) {
            ActorRef<LogicalUnitActor.Command> unit = port.units().get(request.unit());
            unit.tell(new LogicalUnitActor.Perform(self, key.orElseThrow().nexus(), request));
        }

        @Override
        public void storeFailed(long lun, Throwable cause) {
            context.getLog().error("the store of LUN 0x{} failed", Long.toHexString(lun), cause);
        }
    }
}
