package io.jsrpt.actor;

import akka.Done;
import akka.actor.typed.ActorRef;

/** What a target takes from the program that embeds it. */
public sealed interface TargetCommand {
    /** Asks for a snapshot; answered within a second, without the channels that did not answer by then. */
    record GetStatus(ActorRef<TargetStatus> replyTo) implements TargetCommand {}

    /** Asks for the listeners, once each of them listens or has failed to. Listeners that failed are tried again. */
    record AwaitListening(ActorRef<TargetStatus> replyTo) implements TargetCommand {}

    /**
     * Ends the sessions with this name ({@link TargetStatus.Session#name}); the initiator may log in again at once.
     * Answered with the number of sessions when their channels are gone.
     */
    record CloseSession(String sessionName, ActorRef<Integer> replyTo) implements TargetCommand {}

    /**
     * Stops listening on all devices, then ends each session with a DREQ, and stops; sessions that have not ended
     * within the shutdown timeout are cut. Answered when everything is freed and the RDMA service is closed.
     */
    record Shutdown(ActorRef<Done> replyTo) implements TargetCommand {}

    /** What the target's own actors tell it. */
    sealed interface Internal extends TargetCommand
            permits TargetActor.ListenerChanged, TargetActor.StoppedListening, TargetActor.DeviceGone,
            TargetActor.RetryDevice, TargetActor.ShutdownTimeout {}
}
