package io.jsrpt.actor;

import akka.actor.typed.Behavior;
import io.jsrpt.rdma.RdmaService;

/** A target as one behavior, for a program that has an actor system and supervises the target in it. */
public final class Target {
    private Target() {}

    /**
     * A target on all devices of a service. It starts at once; {@link TargetCommand.AwaitListening} tells when it is
     * ready, and {@link TargetCommand.Shutdown} ends it in order. When the actor stops, for whatever reason, its
     * connections have ended and everything it opened is freed.
     *
     * @param service the target's from now on: the target closes it when it stops. So a supervisor that starts a target
     *     again does it with a newly opened service, not by restarting this behavior
     * @param settings the logical units in it, and their stores, stay the caller's to close after the target has
     *     stopped
     */
    public static Behavior<TargetCommand> behavior(RdmaService service, TargetSettings settings) {
        return TargetActor.create(service, settings, ChannelActor::create);
    }
}
