package io.jsrpt.actor;

import akka.Done;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.AskPattern;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * A target with an actor system of its own, for a program that has none. All methods may be called from any thread.
 *
 * {@snippet :
 * RdmaService rdma = provider.open(RdmaSettings.of(List.of(address)));
 * TargetSettings settings = TargetSettings.of("vault", 0x0002c90300a1b2c3L, 5555, Map.of(0, unit));
 * try (SrpTarget target = SrpTarget.start(rdma, settings)) {
 *     target.whenStopped().toCompletableFuture().join();
 * }
 * }
 */
public final class SrpTarget implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    /** What may come on top of the target's own bound of its shutdown: freeing everything. */
    private static final Duration FREEING = Duration.ofSeconds(15);

    private static final String OVERRIDES = """
            # notices that reach a channel which has just ended are no news
            akka.log-dead-letters = off
            akka.log-dead-letters-during-shutdown = off
            # the embedding program decides about the JVM
            akka.jvm-exit-on-fatal-error = off
            akka.coordinated-shutdown.run-by-jvm-shutdown-hook = off
            """;

    private final ActorSystem<TargetCommand> system;
    private final TargetSettings settings;

    private SrpTarget(ActorSystem<TargetCommand> system, TargetSettings settings) {
        this.system = system;
        this.settings = settings;
    }

    /** Starts a target whose actor system has the JVM's default configuration. */
    public static SrpTarget start(RdmaService service, TargetSettings settings) throws RdmaException {
        return start(service, settings, ConfigFactory.load());
    }

    /**
     * Starts a target and waits until its listeners are open.
     *
     * @param service the target's from now on, also when this fails: the target closes it
     * @param config of the actor system
     * @throws RdmaException when no listener could be opened; nothing stays open then
     */
    public static SrpTarget start(RdmaService service, TargetSettings settings, Config config) throws RdmaException {
        ActorSystem<TargetCommand> system = ActorSystem.create(
                Target.behavior(service, settings),
                "jsrpt",
                ConfigFactory.parseString(OVERRIDES).withFallback(config));
        SrpTarget target = new SrpTarget(system, settings);
        try {
            TargetStatus status = join(AskPattern.<TargetCommand, TargetStatus>ask(
                    system, TargetCommand.AwaitListening::new, START, system.scheduler()));
            if (status.listeners().stream().noneMatch(TargetStatus.Listener::listening)) {
                throw new RdmaException("target " + settings.name() + " listens nowhere: " + status.listeners());
            }
        } catch (RdmaException | RuntimeException e) {
            target.close();
            throw e;
        }
        return target;
    }

    /** A snapshot of listeners and sessions. */
    public CompletionStage<TargetStatus> status() {
        return AskPattern.ask(system, TargetCommand.GetStatus::new, ANSWER, system.scheduler());
    }

    /**
     * Ends the sessions with this name.
     *
     * @return their number, once they have ended
     */
    public CompletionStage<Integer> closeSession(String sessionName) {
        Duration bound = settings.timeouts().disconnect().plus(settings.timeouts().drain()).plus(ANSWER);
        return AskPattern.ask(
                system, replyTo -> new TargetCommand.CloseSession(sessionName, replyTo), bound, system.scheduler());
    }

    /** Completes when the target has stopped, for whatever reason. */
    public CompletionStage<Done> whenStopped() {
        return system.getWhenTerminated();
    }

    /**
     * Shuts the target down in order, as {@link TargetCommand.Shutdown}, and waits for it. Idempotent.
     *
     * @throws IllegalStateException when it did not stop within its bounds
     */
    @Override
    public void close() {
        Duration bound = settings.timeouts().shutdown().plus(FREEING);
        system.tell(new TargetCommand.Shutdown(system.ignoreRef()));
        try {
            join(whenStopped().toCompletableFuture()
                    .orTimeout(bound.toMillis(), TimeUnit.MILLISECONDS));
        } catch (CompletionException e) {
            system.terminate();
            throw new IllegalStateException("target " + settings.name() + " did not stop within " + bound, e);
        }
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
