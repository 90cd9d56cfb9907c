package io.jsrpt.testing.stepping;

import akka.actor.AbstractActor;
import akka.event.Logging;

/** The actor system's logger: hands the failures of actors to the test. */
public final class FailureLog extends AbstractActor {
    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Logging.InitializeLogger.class,
                    _ -> getSender().tell(Logging.loggerInitialized(), getSelf()))
                .match(Logging.Error.class,
                    error -> SteppingSystem.starting(getContext().getSystem().settings().config())
                            .failed(error.cause()))
                .matchAny(_ -> { })
                .build();
    }
}
