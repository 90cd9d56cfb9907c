package io.jsrpt.actor;

import io.jsrpt.rdma.CmEvent;

/**
 * What a channel does when the connection manager tells it something: one named answer for every event in every state.
 * The kernel's target leaves a channel whose reply failed in CONNECTING, and a DREQ that crosses its own without a
 * DREP; here no event is without an end.
 */
enum EventAnswer {
    /** The connection stands: serve commands. */
    GO_LIVE,
    /** Answer the peer's DREQ with a DREP, then drain. */
    ANSWER_AND_DRAIN,
    /** Answer the peer's DREQ with a DREP; the channel is already on its way down. */
    ANSWER,
    /** There is no connection any more that a DREQ could end: drain. */
    DRAIN,
    /** The device goes away: free everything without waiting for it. */
    ABANDON,
    /** The event changes nothing. */
    GO_ON,
    /** The event belongs to something that this channel has already left behind. */
    IGNORE_LATE,
    /** The provider broke its promise: the event cannot happen to a channel in this state. */
    LOG_IMPOSSIBLE;

    /** The answer to an event; complete for every pair, see the table in the test. */
    static EventAnswer to(CmEvent event, ChannelState state) {
        return switch (event) {
            case CmEvent.ConnectRequest _ -> LOG_IMPOSSIBLE;
            case CmEvent.Established _ -> toEstablished(state);
            case CmEvent.Rejected _, CmEvent.Unreachable _, CmEvent.ConnectError _, CmEvent.TimewaitExit _ ->
                toGone(state);
            case CmEvent.Disconnected _ -> toDisconnected(state);
            case CmEvent.DeviceRemoved _ -> state == ChannelState.DISCONNECTED ? IGNORE_LATE : ABANDON;
            case CmEvent.AddressChanged _ -> GO_ON;
        };
    }

    private static EventAnswer toEstablished(ChannelState state) {
        return switch (state) {
            case CONNECTING -> GO_LIVE;
            case LIVE -> LOG_IMPOSSIBLE;
            case DISCONNECTING, DRAINING, DISCONNECTED -> IGNORE_LATE;
        };
    }

    private static EventAnswer toGone(ChannelState state) {
        return switch (state) {
            case CONNECTING, LIVE, DISCONNECTING -> DRAIN;
            case DRAINING, DISCONNECTED -> IGNORE_LATE;
        };
    }

    private static EventAnswer toDisconnected(ChannelState state) {
        return switch (state) {
            case CONNECTING, LIVE, DISCONNECTING -> ANSWER_AND_DRAIN;
            case DRAINING -> ANSWER;
            case DISCONNECTED -> IGNORE_LATE;
        };
    }
}
