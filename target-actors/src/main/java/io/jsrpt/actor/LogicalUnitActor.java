package io.jsrpt.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import io.jsrpt.channel.TaskManagementRequest;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.scsi.UnitOwner;
import io.jsrpt.scsi.nexus.Nexus;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What concerns one logical unit across the channels that use it: the task management functions that reach further than
 * the channel they came by (SAM-5, 7.1). Reads and writes do not pass here.
 */
final class LogicalUnitActor {
    private final ActorContext<Command> context;
    private final LogicalUnit unit;
    private final Map<ActorRef<ChannelActor.Command>, Nexus> channels = new LinkedHashMap<>();
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

    /** A channel may send commands to the unit from now on, until it stops. */
    record Attach(ActorRef<ChannelActor.Command> channel, Nexus nexus) implements Command {}

    /**
     * A channel, which has aborted its own tasks already, asks for a function; it gets
     * {@link ChannelActor.TaskManagementDone} once all others have aborted theirs.
     */
    record Perform(ActorRef<ChannelActor.Command> channel, Nexus nexus, TaskManagementRequest request)
            implements Command {}

    /** A channel has no task left that {@link ChannelActor.AbortTasks} asked it to abort. */
    record Aborted(ActorRef<ChannelActor.Command> channel, long operation) implements Command {}

    private record Run(Runnable action) implements Command {}

    private record Gone(ActorRef<ChannelActor.Command> channel) implements Command {}

    private Behavior<Command> onCommand(Command command) {
        switch (command) {
            case Attach attach -> {
                context.watchWith(attach.channel(), new Gone(attach.channel()));
                channels.put(attach.channel(), attach.nexus());
            }
            case Perform perform -> perform(perform);
            case Run run -> run.action().run();
            case Aborted aborted -> {
                Operation operation = operations.get(aborted.operation());
                if (operation != null) {
                    operation.awaited.remove(aborted.channel());
                    finish(aborted.operation(), operation);
                }
            }
            case Gone gone -> {
                channels.remove(gone.channel());
                new LinkedHashMap<>(operations).forEach((number, operation) -> {
                    operation.awaited.remove(gone.channel());
                    finish(number, operation);
                });
            }
        }
        return Behaviors.same();
    }

    private Behavior<Command> onSignal(Signal signal) {
        if (signal instanceof PostStop) {
            unit.disowned();
        }
        return Behaviors.same();
    }

    private void perform(Perform perform) {
        boolean nexusOnly = perform.request().function() == TaskManagementRequest.Function.ABORT_TASK_SET;
        Set<ActorRef<ChannelActor.Command>> awaited = new LinkedHashSet<>();
        channels.forEach((channel, nexus) -> {
            if (!channel.equals(perform.channel()) && (!nexusOnly || nexus.equals(perform.nexus()))) {
                awaited.add(channel);
            }
        });
        long number = ++lastOperation;
        Operation operation = new Operation(awaited, perform);
        operations.put(number, operation);
        awaited.forEach(channel ->
                channel.tell(new ChannelActor.AbortTasks(unit, number, context.getSelf())));
        finish(number, operation);
    }

    private void finish(long number, Operation operation) {
        if (!operation.awaited.isEmpty()) {
            return;
        }
        operations.remove(number);
        TaskManagementRequest request = operation.perform.request();
        if (request.function() == TaskManagementRequest.Function.LOGICAL_UNIT_RESET) {
            unit.reset();
        }
        context.getLog().info("{} of {} is done", request.function(), unit.identity().product());
        operation.perform.channel().tell(new ChannelActor.TaskManagementDone(request));
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
            whenDone.run();
        }
    }

    private record Operation(Set<ActorRef<ChannelActor.Command>> awaited, Perform perform) {}
}
