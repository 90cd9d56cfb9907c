package io.jsrpt.channel;

/** What {@link ChannelIo#poll} found; anything but {@link Continue} is told once, and ends the connection. */
public sealed interface PollOutcome {
    /** Nothing that concerns the connection. */
    Continue CONTINUE = new Continue();

    /** The initiator's SRP_I_LOGOUT came. */
    LoggedOut LOGGED_OUT = new LoggedOut();

    /** The queue pair went to the error state though none of this side's work failed: the peer or the CM ended it. */
    Flushed FLUSHED = new Flushed();

    /** The connection goes on. */
    record Continue() implements PollOutcome {}

    /** The initiator logged out. */
    record LoggedOut() implements PollOutcome {}

    /** All work is being flushed; not a fault worth a warning. */
    record Flushed() implements PollOutcome {}

    /**
     * Work of this side failed, so that the queue pair is of no more use.
     *
     * @param reason a line for the log
     */
    record Failed(String reason) implements PollOutcome {}

    /**
     * The initiator broke the protocol: a unit with an unknown opcode, or one that is too short.
     *
     * @param reason a line for the log
     * @param logoutReason the reason for {@link ChannelIo#sendTargetLogout} (SRP r16a, SRP_T_LOGOUT)
     */
    record ProtocolError(String reason, int logoutReason) implements PollOutcome {}
}
