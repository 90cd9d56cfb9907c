package io.jsrpt.testing.stepping;

import akka.dispatch.DispatcherPrerequisites;
import akka.dispatch.ExecutorServiceConfigurator;
import akka.dispatch.ExecutorServiceFactory;
import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;

/** Gives all dispatchers of an actor system its stepping executor; named by the system's configuration. */
public final class SteppingDispatchers extends ExecutorServiceConfigurator {
    private final SteppingExecutor executor;

    /** Called by the actor system. */
    public SteppingDispatchers(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
        executor = SteppingSystem.starting(prerequisites.settings().config()).executor();
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
        return () -> executor;
    }
}
