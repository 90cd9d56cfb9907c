package io.jsrpt.testing.stepping;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** An actor system that the test steps. */
public final class SteppingSystem implements AutoCloseable {
    private static final Map<String, SteppingSystem> BY_NAME = new ConcurrentHashMap<>();
    private static final AtomicInteger LAST = new AtomicInteger();

    private static final String CONFIG = """
            stepping.system = "%s"
            akka {
              loggers = ["io.jsrpt.testing.stepping.FailureLog"]
              loglevel = ERROR
              stdout-loglevel = OFF
              log-dead-letters = off
              log-dead-letters-during-shutdown = off
              scheduler.implementation = "io.jsrpt.testing.stepping.SteppingClock"
              coordinated-shutdown.run-by-jvm-shutdown-hook = off
              actor.internal-dispatcher = akka.actor.default-dispatcher
              actor.default-dispatcher {
                type = Dispatcher
                executor = "io.jsrpt.testing.stepping.SteppingDispatchers"
                throughput = 1
              }
            }
            jsrpt.actor.channel-dispatcher = akka.actor.default-dispatcher
            jsrpt.actor.unit-dispatcher = akka.actor.default-dispatcher
            """;

    private final SteppingExecutor executor = new SteppingExecutor();
    private final List<Throwable> failures = new ArrayList<>();
    private final String name;
    private final ActorSystem<Void> system;
    private SteppingClock clock;

    /** Starts a system and brings it to rest. */
    public SteppingSystem() throws InterruptedException {
        name = "stepping-" + LAST.incrementAndGet();
        BY_NAME.put(name, this);
        system = ActorSystem.create(
                Behaviors.empty(), name,
                ConfigFactory.parseString(CONFIG.formatted(name)).withFallback(ConfigFactory.load()));
        executor.startStepping();
        runReady();
    }

    static SteppingSystem starting(Config config) {
        return BY_NAME.get(config.getString("stepping.system"));
    }

    SteppingExecutor executor() {
        return executor;
    }

    void clock(SteppingClock made) {
        clock = made;
    }

    void failed(Throwable cause) {
        failures.add(cause);
    }

    /** The actor system. */
    public ActorSystem<Void> system() {
        return system;
    }

    /** What let actors fail since the last call. */
    public List<Throwable> takeFailures() {
        List<Throwable> taken = List.copyOf(failures);
        failures.clear();
        return taken;
    }

    /** How many actors have something to do. */
    public int ready() {
        return executor.ready();
    }

    /** Lets one of them handle one message. */
    public void step(RandomGenerator random) {
        executor.run(random.nextInt(executor.ready()));
    }

    /** Steps until no actor has anything to do. */
    public void settle(RandomGenerator random) {
        while (executor.ready() > 0) {
            step(random);
        }
    }

    /** Steps until no actor but those with this in their path has anything to do. */
    public void settleWithout(String inPath) {
        settleOnly(path -> !path.contains(inPath));
    }

    /** Steps until no actor whose path is one of these has anything to do. */
    public void settleOnly(Predicate<String> paths) {
        int next = executor.first(paths);
        while (next >= 0) {
            executor.run(next);
            next = executor.first(paths);
        }
    }

    /** Moves the clock on. */
    public void pass(Duration duration) {
        clock.pass(duration);
    }

    @Override
    public void close() {
        system.terminate();
        runReady();
        BY_NAME.remove(name);
    }

    private void runReady() {
        while (executor.ready() > 0) {
            executor.run(0);
        }
    }
}
