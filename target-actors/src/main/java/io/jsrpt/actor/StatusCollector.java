package io.jsrpt.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects one snapshot of a target and stops. */
final class StatusCollector {
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final String target;
    private final List<TargetStatus.Listener> listeners;
    private final ActorRef<TargetStatus> replyTo;
    private final ActorContext<Command> context;
    private final Map<NexusKey, List<TargetStatus.Channel>> answers = new HashMap<>();
    private final Set<ActorRef<ChannelActor.Command>> awaited = new HashSet<>();
    private boolean asked;

    private StatusCollector(
            ActorContext<Command> context,
            String target,
            List<TargetStatus.Listener> listeners,
            ActorRef<TargetStatus> replyTo) {
        this.context = context;
        this.target = target;
        this.listeners = listeners;
        this.replyTo = replyTo;
    }

    static Behavior<Command> create(
            String target,
            List<TargetStatus.Listener> listeners,
            ActorRef<NexusRegistry.Command> registry,
            ActorRef<TargetStatus> replyTo) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            StatusCollector collector = new StatusCollector(context, target, listeners, replyTo);
            registry.tell(new NexusRegistry.GetMembers(
                    context.messageAdapter(NexusRegistry.Members.class, Known::new)));
            timers.startSingleTimer(new Late(), PATIENCE);
            return Behaviors.receiveMessage(collector::onCommand);
        }));
    }

    /** What the collector takes. */
    sealed interface Command {}

    private record Known(NexusRegistry.Members members) implements Command {}

    private record Answer(ChannelActor.Status status) implements Command {}

    private record Gone(ActorRef<ChannelActor.Command> channel) implements Command {}

    private record Late() implements Command {}

    private Behavior<Command> onCommand(Command command) {
        switch (command) {
            case Known known -> ask(known.members());
            case Answer answer -> {
                answers.get(answer.status().key()).add(answer.status().channel());
                awaited.remove(answer.status().from());
            }
            case Gone gone -> awaited.remove(gone.channel());
            case Late _ -> {
                asked = true;
                awaited.clear();
            }
        }
        if (!asked || !awaited.isEmpty()) {
            return Behaviors.same();
        }
        replyTo.tell(new TargetStatus(target, listeners, sessions()));
        return Behaviors.stopped();
    }

    private void ask(NexusRegistry.Members members) {
        ActorRef<ChannelActor.Status> adapter = context.messageAdapter(ChannelActor.Status.class, Answer::new);
        asked = true;
        members.channels().forEach((key, channels) -> {
            answers.put(key, new ArrayList<>());
            for (ActorRef<ChannelActor.Command> channel : channels) {
                awaited.add(channel);
                context.watchWith(channel, new Gone(channel));
                channel.tell(new ChannelActor.GetStatus(adapter));
            }
        });
    }

    private List<TargetStatus.Session> sessions() {
        List<TargetStatus.Session> sessions = new ArrayList<>();
        answers.forEach((key, channels) -> {
            if (channels.isEmpty()) {
                return;
            }
            channels.sort(Comparator.comparingLong(TargetStatus.Channel::number));
            sessions.add(new TargetStatus.Session(
                    key.sessionName(), key.initiator(), key.target(), key.remote(), key.local(), channels));
        });
        sessions.sort(Comparator.comparing(TargetStatus.Session::name));
        return sessions;
    }
}
