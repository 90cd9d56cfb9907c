package io.jsrpt.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import io.jsrpt.channel.TaskManagementRequest;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.scsi.UnitAttention;
import io.jsrpt.scsi.UnitOwner;
import io.jsrpt.scsi.nexus.Nexus;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What concerns one logical unit across the channels that use it: its reservations, unit attentions and other state
 * that nexuses share, and the task management functions that reach further than the channel they came by (SAM-5, 7.1).
 * Reads and writes do not pass here: they read the state that this actor publishes.
 *
 * <p>A change that takes access from a nexus is answered only when it holds. It is published first; then each channel
 * of the nexus is told. What a channel gives to the store after that it has checked against the new state, since it
 * reads that just before; what it gave before, it waits for. A channel that stops counts until the stores have let go
 * of it. So after the answer no write that the change excludes reaches the store.
 *
 * <p>May block for as long as it takes to keep reservations in a file, and has a dispatcher of its own for that.
 */
final class LogicalUnitActor {
    /** The dispatcher of logical units' actors, in the actor system's configuration. */
    static final String DISPATCHER = "jsrpt.actor.unit-dispatcher";

    private final ActorContext<Command> context;
    private final LogicalUnit unit;
    /** The channels whose commands may reach the store. */
    private final Map<ActorRef<ChannelActor.Command>, Nexus> channels = new LinkedHashMap<>();
    /** Those of them that belong to their nexus no more. */
    private final Set<ActorRef<ChannelActor.Command>> left = new HashSet<>();
    /** Those that have stopped. */
    private final Set<ActorRef<ChannelActor.Command>> stopped = new HashSet<>();
    private final Map<Long, Operation> operations = new LinkedHashMap<>();
    private long lastOperation;

    private LogicalUnitActor(ActorContext<Command> context, LogicalUnit unit) {
        this.context = context;
        this.unit = unit;
    }

    static Behavior<Command> create(LogicalUnit unit) {
        return Behaviors.setup(context -> {
            LogicalUnitActor actor = new LogicalUnitActor(context, unit);
            unit.ownedBy(actor.new Owner());
            return Behaviors.receive((_, command) -> actor.onCommand(command), (_, signal) -> actor.onSignal(signal));
        });
    }

    /** What a logical unit's actor takes. */
    sealed interface Command {}

    /**
     * A channel is going to send commands to the unit, until it stops; it gets {@link ChannelActor.Attached}, and sends
     * none before.
     */
    record Attach(ActorRef<ChannelActor.Command> channel, Nexus nexus) implements Command {}

    /** A channel begins no more commands; with the last one an I_T nexus is lost. Told before the nexus is. */
    record Left(ActorRef<ChannelActor.Command> channel) implements Command {}

    /** No store operation of a channel that stops is under way any more. */
    record Released(ActorRef<ChannelActor.Command> channel) implements Command {}

    /**
     * A channel, which has aborted its own tasks already, asks for a function; it gets
     * {@link ChannelActor.TaskManagementDone} once all others have aborted theirs.
     */
    record Perform(ActorRef<ChannelActor.Command> channel, Nexus nexus, TaskManagementRequest request)
            implements Command {}

    /**
     * A channel has done what {@link ChannelActor.AbortTasks} or {@link ChannelActor.Fence} asks for.
     *
     * @param any whether it had a task to abort
     */
    record Aborted(ActorRef<ChannelActor.Command> channel, long operation, boolean any) implements Command {}

    private record Run(Runnable action) implements Command {}

    private record Gone(ActorRef<ChannelActor.Command> channel) implements Command {}

    private Behavior<Command> onCommand(Command command) {
        switch (command) {
            case Attach attach -> {
                context.watchWith(attach.channel(), new Gone(attach.channel()));
                channels.put(attach.channel(), attach.nexus());
                unit.attach(attach.nexus());
                attach.channel().tell(new ChannelActor.Attached(unit));
            }
            case Perform perform -> perform(perform);
            case Run run -> run.action().run();
            case Aborted aborted -> {
                Operation operation = operations.get(aborted.operation());
                if (operation != null) {
                    if (aborted.any() && channels.containsKey(aborted.channel())) {
                        operation.aborting.add(channels.get(aborted.channel()));
                    }
                    finish(aborted.operation(), operation, aborted.channel());
                }
            }
            case Left gone -> leave(gone.channel());
            case Gone gone -> {
                leave(gone.channel());
                if (channels.containsKey(gone.channel())) {
                    stopped.add(gone.channel());
                }
            }
            case Released released -> released(released.channel());
        }
        return Behaviors.same();
    }

    private Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            unit.disowned();
        }
        return Behaviors.same();
    }

    private void leave(ActorRef<ChannelActor.Command> channel) {
        Nexus nexus = channels.get(channel);
        if (nexus == null || !left.add(channel)) {
            return;
        }
        boolean others = channels.entrySet().stream()
                .anyMatch(entry -> entry.getValue().equals(nexus) && !left.contains(entry.getKey()));
        if (!others) {
            unit.nexusLost(nexus);
        }
    }

    /** It may come before the news that the channel has stopped. */
    private void released(ActorRef<ChannelActor.Command> channel) {
        leave(channel);
        channels.remove(channel);
        left.remove(channel);
        stopped.remove(channel);
        Map.copyOf(operations).forEach((number, operation) -> finish(number, operation, channel));
    }

    private void perform(Perform perform) {
        boolean nexusOnly = perform.request().function() == TaskManagementRequest.Function.ABORT_TASK_SET;
        Set<ActorRef<ChannelActor.Command>> awaited = new LinkedHashSet<>();
        channels.forEach((channel, nexus) -> {
            if (!channel.equals(perform.channel()) && (!nexusOnly || nexus.equals(perform.nexus()))) {
                awaited.add(channel);
            }
        });
        Operation operation = new Operation(awaited);
        operation.whenDone = () -> done(perform, operation);
        long number = begin(operation);
        tell(operation, new ChannelActor.AbortTasks(unit, number, context.getSelf()));
        finish(number, operation, perform.channel());
    }

    private void done(Perform perform, Operation operation) {
        TaskManagementRequest request = perform.request();
        switch (request.function()) {
            case LOGICAL_UNIT_RESET -> unit.reset();
            case CLEAR_TASK_SET -> operation.aborting.stream()
                    .filter(nexus -> !nexus.equals(perform.nexus()))
                    .forEach(nexus -> unit.establishFor(UnitAttention.COMMANDS_CLEARED, nexus));
            case ABORT_TASK_SET -> { }
        }
        context.getLog().info("{} of {} is done", request.function(), unit.identity().product());
        perform.channel().tell(new ChannelActor.TaskManagementDone(request));
    }

    private long begin(Operation operation) {
        long number = ++lastOperation;
        operations.put(number, operation);
        return number;
    }

    private void tell(Operation operation, ChannelActor.Command what) {
        for (ActorRef<ChannelActor.Command> channel : operation.awaited) {
            if (!stopped.contains(channel)) {
                channel.tell(what);
            }
        }
    }

    /** A channel need not be awaited any more; when it was the last, the operation is done. */
    private void finish(long number, Operation operation, ActorRef<ChannelActor.Command> channel) {
        operation.awaited.remove(channel);
        if (operation.awaited.isEmpty() && operations.remove(number) != null) {
            operation.whenDone.run();
        }
    }

    /** Something that channels are asked for; done when each of them has answered or is released. */
    private static final class Operation {
        private final Set<ActorRef<ChannelActor.Command>> awaited;
        /** The nexuses that had tasks to abort. */
        private final Set<Nexus> aborting = new LinkedHashSet<>();
        private Runnable whenDone = () -> { };

        Operation(Set<ActorRef<ChannelActor.Command>> awaited) {
            this.awaited = awaited;
        }
    }

    /** This actor, as the device server knows it. */
    private final class Owner implements UnitOwner {
        private final ActorRef<Command> self = context.getSelf();

        @Override
        public void run(Runnable action) {
            self.tell(new Run(action));
        }

        @Override
        public void fence(Predicate<Nexus> nexuses, boolean abort, Runnable whenDone) {
            Set<ActorRef<ChannelActor.Command>> awaited = new LinkedHashSet<>();
            channels.forEach((channel, nexus) -> {
                if (nexuses.test(nexus)) {
                    awaited.add(channel);
                }
            });
            if (awaited.isEmpty()) {
                whenDone.run();
                return;
            }
            Operation operation = new Operation(awaited);
            operation.whenDone = whenDone;
            long number = begin(operation);
            tell(operation, new ChannelActor.Fence(unit, abort, number, self));
        }
    }
}
