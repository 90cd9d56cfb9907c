package io.jsrpt.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import io.jsrpt.srp.LoginCheck;
import io.jsrpt.srp.LoginRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The I_T nexuses with their channels, and so the sessions; decides what a login means for the channels that the nexus
 * already has (SRP r16a, 5.2.3). A nexus is there from its first admitted login to the end of its last channel: refused
 * logins leave nothing behind.
 *
 * <p>Logins of one nexus are decided one after the other. One that ends the others is admitted only once each of them
 * has sent its DREQ and its stores are idle (or is gone): so the initiator never sees the old channels end after the
 * new one stands, and no write of theirs is done after one of the new session's.
 */
final class NexusRegistry {
    private final ActorContext<Command> context;
    private final Map<NexusKey, ItNexus> nexuses = new LinkedHashMap<>();
    private final List<Closing> closings = new ArrayList<>();

    private NexusRegistry(ActorContext<Command> context) {
        this.context = context;
    }

    static Behavior<Command> create() {
        return Behaviors.setup(context -> {
            NexusRegistry registry = new NexusRegistry(context);
            return Behaviors.receiveMessage(registry::onCommand);
        });
    }

    /** What the registry takes. */
    sealed interface Command {}

    /**
     * A channel asks to be admitted; it gets {@link ChannelActor.Admitted} or {@link ChannelActor.Denied}.
     *
     * @param circumstances but for the number of channels, which the registry knows
     */
    record Join(
            ActorRef<ChannelActor.Command> channel,
            long number,
            NexusKey key,
            LoginRequest request,
            LoginCheck.Circumstances circumstances)
            implements Command {}

    /**
     * A channel is on its way down, has sent its DREQ if one was due, and no write of it can reach a store any more;
     * told once by each.
     */
    record Leaving(ActorRef<ChannelActor.Command> channel, NexusKey key) implements Command {}

    /** Asks for the channels that are there. */
    record GetMembers(ActorRef<Members> replyTo) implements Command {}

    /** Ends the sessions of this name; answered with their number once their channels are gone. */
    record CloseSession(String sessionName, ActorRef<Integer> replyTo) implements Command {}

    private record Gone(ActorRef<ChannelActor.Command> channel, NexusKey key) implements Command {}

    /** The channels, by session. */
    record Members(Map<NexusKey, List<ActorRef<ChannelActor.Command>>> channels) {}

    private Behavior<Command> onCommand(Command command) {
        switch (command) {
            case Join join -> {
                context.watchWith(join.channel(), new Gone(join.channel(), join.key()));
                ItNexus nexus = nexuses.computeIfAbsent(join.key(), _ -> new ItNexus());
                nexus.waiting.add(join);
                decide(join.key(), nexus);
            }
            case Leaving leaving -> leave(leaving.channel(), leaving.key(), false);
            case Gone gone -> {
                leave(gone.channel(), gone.key(), true);
                finishClosings(gone.channel());
            }
            case GetMembers get -> get.replyTo().tell(members());
            case CloseSession close -> close(close);
        }
        return Behaviors.same();
    }

    /** Decides the logins that wait, until one must itself wait for others to leave. */
    private void decide(NexusKey key, ItNexus nexus) {
        while (nexus.blocking.isEmpty() && !nexus.waiting.isEmpty()) {
            Join join = nexus.waiting.getFirst();
            LoginCheck.Circumstances c = join.circumstances();
            LoginCheck.Circumstances now = new LoginCheck.Circumstances(
                    c.enabled(), c.targetPort(), c.initiatorAllowed(), nexus.staying(), c.limits());
            switch (nexus.admitted == null ? LoginCheck.check(join.request(), now) : nexus.admitted) {
                case LoginCheck.Refused refused -> {
                    nexus.waiting.removeFirst();
                    join.channel().tell(new ChannelActor.Denied(refused));
                }
                case LoginCheck.Accepted accepted -> admit(join, nexus, accepted);
            }
        }
        if (nexus.members.isEmpty() && nexus.waiting.isEmpty()) {
            nexuses.remove(key);
        }
    }

    private void admit(Join join, ItNexus nexus, LoginCheck.Accepted accepted) {
        if (nexus.admitted == null && accepted.terminateOthers()) {
            nexus.admitted = accepted;
            for (Member member : nexus.members.values()) {
                if (!member.leaving) {
                    nexus.blocking.add(member.channel);
                    member.channel.tell(new ChannelActor.End("a new login of the session ends its older channels"));
                }
            }
        }
        if (nexus.blocking.isEmpty()) {
            nexus.admitted = null;
            nexus.waiting.removeFirst();
            nexus.members.put(join.channel(), new Member(join.channel()));
            join.channel().tell(new ChannelActor.Admitted(accepted));
        }
    }

    private void leave(ActorRef<ChannelActor.Command> channel, NexusKey key, boolean gone) {
        ItNexus nexus = nexuses.get(key);
        if (nexus == null) {
            return;
        }
        Member member = nexus.members.get(channel);
        if (member != null) {
            member.leaving = true;
        }
        nexus.blocking.remove(channel);
        if (gone) {
            nexus.members.remove(channel);
            nexus.forget(channel);
        }
        decide(key, nexus);
    }

    private Members members() {
        Map<NexusKey, List<ActorRef<ChannelActor.Command>>> channels = new LinkedHashMap<>();
        nexuses.forEach((key, nexus) -> {
            if (!nexus.members.isEmpty()) {
                channels.put(key, List.copyOf(nexus.members.keySet()));
            }
        });
        return new Members(channels);
    }

    private void close(CloseSession close) {
        Set<ActorRef<ChannelActor.Command>> awaited = new LinkedHashSet<>();
        int sessions = 0;
        for (Map.Entry<NexusKey, ItNexus> entry : nexuses.entrySet()) {
            if (entry.getKey().sessionName().equals(close.sessionName())) {
                sessions++;
                awaited.addAll(entry.getValue().members.keySet());
            }
        }
        awaited.forEach(channel -> channel.tell(new ChannelActor.End("the session is closed by the operator")));
        if (awaited.isEmpty()) {
            close.replyTo().tell(sessions);
        } else {
            closings.add(new Closing(awaited, sessions, close.replyTo()));
        }
    }

    private void finishClosings(ActorRef<ChannelActor.Command> gone) {
        closings.removeIf(closing -> {
            closing.awaited.remove(gone);
            if (closing.awaited.isEmpty()) {
                closing.replyTo.tell(closing.sessions);
            }
            return closing.awaited.isEmpty();
        });
    }

    private record Closing(Set<ActorRef<ChannelActor.Command>> awaited, int sessions, ActorRef<Integer> replyTo) {}

    private static final class Member {
        private final ActorRef<ChannelActor.Command> channel;
        private boolean leaving;

        Member(ActorRef<ChannelActor.Command> channel) {
            this.channel = channel;
        }
    }

    /** One nexus. While {@code blocking} is not empty, the first that waits is admitted but not yet listed. */
    private static final class ItNexus {
        private final Map<ActorRef<ChannelActor.Command>, Member> members = new LinkedHashMap<>();
        private final ArrayDeque<Join> waiting = new ArrayDeque<>();
        private final Set<ActorRef<ChannelActor.Command>> blocking = new LinkedHashSet<>();
        /** The answer to the first that waits, once others were told to end for its sake; null before. */
        private LoginCheck.Accepted admitted;

        int staying() {
            return (int) members.values().stream().filter(m -> !m.leaving).count();
        }

        /** A channel is gone that may have waited; if it was the first, its answer is void. */
        void forget(ActorRef<ChannelActor.Command> channel) {
            if (!waiting.isEmpty() && waiting.getFirst().channel().equals(channel)) {
                admitted = null;
                blocking.clear();
            }
            waiting.removeIf(join -> join.channel().equals(channel));
        }
    }
}
