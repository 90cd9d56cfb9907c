package io.jsrpt.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Props;
import akka.actor.typed.Signal;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.stream.Attributes;
import akka.stream.Materializer;
import akka.stream.javadsl.Source;
import akka.stream.typed.javadsl.ActorSink;
import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.srp.LoginReject;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The owner of one CM event channel and of the listener on it ({@code srpt_cm_handler}).
 *
 * <p>Ownership of a connection's id. The id of a connection request is this actor's. It offers it to a new channel
 * actor with {@link ChannelActor.TakeOwnership} and gets one of two answers. {@link Owned}: the id is the channel's
 * alone; from then on this actor forwards its events and touches it no more. {@link Refused}: ownership did not pass;
 * this actor sends the reject and destroys the id. A channel that dies before its answer, or does not answer in time,
 * has refused; if it is only late, it finds the offer withdrawn and stops. Whether the id can be taken back is decided
 * by the {@link Ownership.Offer} alone, never by the order in which messages arrive.
 *
 * <p>Channel actors are children: when this actor stops, for whatever reason, each of them has released its id before
 * the event channel is closed, which then finds only ids that nobody was offered.
 */
final class CmActor {
    private final ActorContext<Command> context;
    private final TimerScheduler<Command> timers;
    private final Setup setup;
    private final CmEventChannel events;
    private final Ownership<CmId> listener;
    /** The listener's identity, to tell its events. */
    private final CmId listenerKey;
    private final CmEventSource.Control stream;
    /** By the id's identity: no method of an id that may be another's is called, not even {@code hashCode}. */
    private final Map<CmId, Connection> byId = new IdentityHashMap<>();
    private final Map<ActorRef<ChannelActor.Command>, Connection> byChannel = new LinkedHashMap<>();
    private boolean listening = true;
    private boolean closing;

    private CmActor(
            ActorContext<Command> context,
            TimerScheduler<Command> timers,
            Setup setup,
            CmEventChannel events,
            CmId listener) {
        this.context = context;
        this.timers = timers;
        this.setup = setup;
        this.events = events;
        this.listener = Ownership.of(listener);
        this.listenerKey = listener;
        this.stream = Source.fromGraph(new CmEventSource(events))
                .to(ActorSink.actorRefWithBackpressure(
                                context.getSelf(),
                                EventArrived::new,
                                StreamStarted::new,
                                EventTaken.TAKEN,
                                new StreamEnded(),
                                StreamFailed::new)
                        .addAttributes(Attributes.inputBuffer(1, 1)))
                .run(Materializer.createMaterializer(Adapter.toClassic(context)));
    }

    /**
     * What a CM actor is made of.
     *
     * @param channels makes the behavior of a channel actor for a login
     * @param channelProps how channel actors are spawned
     * @param loginTimeout how long a channel actor may think
     * @param parent is told what becomes of the listener
     */
    record Setup(
            RdmaDevice device,
            ServiceId service,
            Function<LoginAttempt, Behavior<ChannelActor.Command>> channels,
            Props channelProps,
            Duration loginTimeout,
            ActorRef<DeviceActor.Command> parent) {}

    /** Listens; when that fails, tells the parent why and stops. */
    static Behavior<Command> create(Setup setup) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            CmEventChannel events;
            try {
                events = setup.device().createEventChannel();
            } catch (RdmaException e) {
                return failed(context, setup, e);
            }
            CmId listener;
            try {
                listener = events.listen(setup.service());
            } catch (RdmaException e) {
                events.close();
                return failed(context, setup, e);
            }
            context.getLog().info("listening to {} on {}", setup.service(), setup.device().name());
            setup.parent().tell(new DeviceActor.Listening(setup.service()));
            CmActor actor = new CmActor(context, timers, setup, events, listener);
            return Behaviors.receive((_, command) -> actor.onCommand(command), (_, signal) -> actor.onSignal(signal));
        }));
    }

    private static Behavior<Command> failed(ActorContext<Command> context, Setup setup, RdmaException e) {
        context.getLog().error("cannot listen to {} on {}", setup.service(), setup.device().name(), e);
        setup.parent().tell(new DeviceActor.NotListening(setup.service(), e.getMessage()));
        return Behaviors.stopped();
    }

    /** What a CM actor takes. */
    sealed interface Command {}

    /** The channel owns its id. */
    record Owned(ActorRef<ChannelActor.Command> channel) implements Command {}

    /**
     * The channel does not take the id.
     *
     * @param why for the log
     */
    record Refused(ActorRef<ChannelActor.Command> channel, LoginReject reject, String why) implements Command {}

    /** No more logins; the connections go on. The parent is told when the listener is destroyed. */
    record StopListening() implements Command {}

    /** Ends every connection in order, then stops. */
    record Shutdown(String reason) implements Command {}

    private enum EventTaken {
        TAKEN
    }

    private record StreamStarted(ActorRef<EventTaken> ackTo) implements Command {}

    private record EventArrived(ActorRef<EventTaken> ackTo, CmEvent event) implements Command {}

    private record StreamEnded() implements Command {}

    private record StreamFailed(Throwable cause) implements Command {}

    private record ChannelGone(ActorRef<ChannelActor.Command> channel) implements Command {}

    private record LoginTimeout(ActorRef<ChannelActor.Command> channel) implements Command {}

    private Behavior<Command> onCommand(Command command) {
        switch (command) {
            case StreamStarted started -> started.ackTo().tell(EventTaken.TAKEN);
            case EventArrived arrived -> {
                arrived.ackTo().tell(EventTaken.TAKEN);
                return onEvent(arrived.event());
            }
            case Owned owned -> connection(owned.channel()).ifPresent(this::settled);
            case Refused refused -> connection(refused.channel()).ifPresent(c -> onRefused(c, refused));
            case LoginTimeout timeout -> connection(timeout.channel()).ifPresent(this::onLoginTimeout);
            case ChannelGone gone -> onChannelGone(gone.channel());
            case StopListening _ -> stopListening();
            case Shutdown shutdown -> {
                stopListening();
                closing = true;
                byChannel.keySet().forEach(channel -> channel.tell(new ChannelActor.End(shutdown.reason())));
                endStreamIfIdle();
            }
            case StreamEnded _ -> {
                return Behaviors.stopped();
            }
            case StreamFailed failed -> throw new IllegalStateException("the CM event channel failed", failed.cause());
        }
        return Behaviors.same();
    }

    private Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            // Children are gone, channels and stream: an id is destroyed, or in its offer, or still with the event
            // channel, since nobody was offered it.
            try {
                byChannel.values().forEach(connection ->
                        takeBack(connection, noResources(connection), "the listener has ended"));
                stopListening();
            } finally {
                events.close();
            }
        }
        return Behaviors.same();
    }

    private Behavior<Command> onEvent(CmEvent event) {
        if (event instanceof CmEvent.ConnectRequest request) {
            onConnectRequest(request);
            return Behaviors.same();
        }
        if (event instanceof CmEvent.DeviceRemoved removed && removed.id() == listenerKey) {
            context.getLog().warn("{} has been removed", setup.device().name());
            return Behaviors.stopped();
        }
        Connection connection = byId.get(event.id());
        if (connection == null) {
            context.getLog().debug("{} for a connection that is gone", event.getClass().getSimpleName());
        } else {
            connection.channel.tell(new ChannelActor.ConnectionEvent(event));
        }
        return Behaviors.same();
    }

    private void onConnectRequest(CmEvent.ConnectRequest request) {
        Ownership<CmId> id = Ownership.of(request.id());
        LoginAttempt attempt = LoginAttempt.of(id.get(), request);
        if (!listening) {
            reject(id, LoginReject.of(LoginReject.Reason.INSUFFICIENT_RESOURCES, attempt.tag()),
                    attempt.number(), "the target takes no more logins");
            return;
        }
        ActorRef<ChannelActor.Command> channel = context.spawn(
                setup.channels().apply(attempt), "channel-" + attempt.number(), setup.channelProps());
        context.watchWith(channel, new ChannelGone(channel));
        Connection connection = new Connection(request.id(), id.offer(), channel, attempt);
        byId.put(request.id(), connection);
        byChannel.put(channel, connection);
        timers.startSingleTimer(channel, new LoginTimeout(channel), setup.loginTimeout());
        channel.tell(new ChannelActor.TakeOwnership(connection.offer, context.getSelf()));
    }

    private void settled(Connection connection) {
        timers.cancel(connection.channel);
        connection.settled = true;
    }

    private void onRefused(Connection connection, Refused refused) {
        settled(connection);
        takeBack(connection, refused.reject(), refused.why());
    }

    private void onLoginTimeout(Connection connection) {
        if (!connection.settled) {
            takeBack(connection, noResources(connection), "no decision about the login in time");
            // One that has accepted the offer gives the id back, or owns it and destroys it, when it stops.
            context.stop(connection.channel);
        }
    }

    private void onChannelGone(ActorRef<ChannelActor.Command> channel) {
        connection(channel).ifPresent(connection -> {
            settled(connection);
            takeBack(connection, noResources(connection), "the channel failed before it took the connection");
            byId.remove(connection.key);
            byChannel.remove(channel);
            endStreamIfIdle();
        });
    }

    /** Rejects and destroys the id if it is still in the offer, that is, if no channel has it. */
    private void takeBack(Connection connection, LoginReject reject, String why) {
        connection.offer.withdraw().ifPresent(id -> reject(id, reject, connection.attempt.number(), why));
    }

    private void reject(Ownership<CmId> id, LoginReject reject, long number, String why) {
        context.getLog().warn("login on connection {} is rejected: {}: {}", number,
                reject.reason().map(Object::toString).orElse(""), why);
        try {
            id.get().reject(CmEvent.Rejected.CONSUMER_DEFINED, reject.encode());
        } catch (RdmaException | RuntimeException e) {
            // The peer's own timeout tells it then. Whatever it is, it must not cost the other connections.
            context.getLog().warn("connection {}: the reject could not be sent", number, e);
        } finally {
            id.take().destroy();
        }
    }

    private static LoginReject noResources(Connection connection) {
        return LoginReject.of(LoginReject.Reason.INSUFFICIENT_RESOURCES, connection.attempt.tag());
    }

    private void stopListening() {
        if (listening) {
            listening = false;
            listener.take().destroy();
            context.getLog().info("no longer listening to {} on {}", setup.service(), setup.device().name());
            setup.parent().tell(new DeviceActor.NotListening(setup.service(), "the listener was closed"));
        }
    }

    private void endStreamIfIdle() {
        if (closing && byChannel.isEmpty()) {
            stream.stop();
        }
    }

    private Optional<Connection> connection(ActorRef<ChannelActor.Command> channel) {
        return Optional.ofNullable(byChannel.get(channel));
    }

    /** A connection, from its request to the end of its channel actor. */
    private static final class Connection {
        private final CmId key;
        private final Ownership.Offer<CmId> offer;
        private final ActorRef<ChannelActor.Command> channel;
        private final LoginAttempt attempt;
        private boolean settled;

        Connection(
                CmId key,
                Ownership.Offer<CmId> offer,
                ActorRef<ChannelActor.Command> channel,
                LoginAttempt attempt) {
            this.key = key;
            this.offer = offer;
            this.channel = channel;
            this.attempt = attempt;
        }
    }
}
