package io.jsrpt.actor;

/**
 * The states of an RDMA channel ({@code enum rdma_ch_state} of the kernel's target). A channel only goes up.
 */
public enum ChannelState {
    /** The login is under way: nothing may be sent yet, units that come are kept. */
    CONNECTING,
    /** Commands are served. */
    LIVE,
    /** A DREQ was sent or answered; the connection manager's part is still under way. */
    DISCONNECTING,
    /** The queue pair is in error; its last completions are awaited. */
    DRAINING,
    /** Nothing is outstanding; the channel's resources are freed. */
    DISCONNECTED;

    /** Whether a channel in this state may enter the other one. */
    boolean mayBecome(ChannelState next) {
        return next.ordinal() > ordinal();
    }
}
