package io.jsrpt.actor;

import static io.jsrpt.actor.EventAnswer.ABANDON;
import static io.jsrpt.actor.EventAnswer.ANSWER;
import static io.jsrpt.actor.EventAnswer.ANSWER_AND_DRAIN;
import static io.jsrpt.actor.EventAnswer.DRAIN;
import static io.jsrpt.actor.EventAnswer.GO_LIVE;
import static io.jsrpt.actor.EventAnswer.GO_ON;
import static io.jsrpt.actor.EventAnswer.IGNORE_LATE;
import static io.jsrpt.actor.EventAnswer.LOG_IMPOSSIBLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.testing.rdma.Faults;
import io.jsrpt.testing.rdma.SimId;
import io.jsrpt.testing.rdma.SimService;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole table: every connection manager event in every channel state. */
final class EventAnswerTest {
    private static final SimId ID = new SimService(1, Faults.NONE).unconnectedId();
    private static final ConnectionParameters PARAMETERS = new ConnectionParameters(4, 4, 7, 7, true, false);

    /** An event, and its answers in the order of the states. */
    record Row(CmEvent event, EventAnswer... answers) {
        @Override
        public String toString() {
            return event.getClass().getSimpleName();
        }
    }

    static Stream<Row> table() {
        return Stream.of(
                //                                 CONNECTING, LIVE, DISCONNECTING, DRAINING, DISCONNECTED
                new Row(new CmEvent.ConnectRequest(ID, ID, PARAMETERS, new byte[0], PathMtu.MTU_256, 0),
                        LOG_IMPOSSIBLE, LOG_IMPOSSIBLE, LOG_IMPOSSIBLE, LOG_IMPOSSIBLE, LOG_IMPOSSIBLE),
                new Row(new CmEvent.Established(ID, PARAMETERS, new byte[0]),
                        GO_LIVE, LOG_IMPOSSIBLE, IGNORE_LATE, IGNORE_LATE, IGNORE_LATE),
                // ib_srpt leaves a channel whose reply was rejected or not answered in CONNECTING for ever.
                new Row(new CmEvent.Rejected(ID, 4, new byte[0]), DRAIN, DRAIN, DRAIN, IGNORE_LATE, IGNORE_LATE),
                new Row(new CmEvent.Unreachable(ID), DRAIN, DRAIN, DRAIN, IGNORE_LATE, IGNORE_LATE),
                new Row(new CmEvent.ConnectError(ID, ""), DRAIN, DRAIN, DRAIN, IGNORE_LATE, IGNORE_LATE),
                // Report 20 (DREQ left unanswered): a DREQ is answered in every state in which there is an id to do it.
                new Row(new CmEvent.Disconnected(ID),
                        ANSWER_AND_DRAIN, ANSWER_AND_DRAIN, ANSWER_AND_DRAIN, ANSWER, IGNORE_LATE),
                new Row(new CmEvent.TimewaitExit(ID), DRAIN, DRAIN, DRAIN, IGNORE_LATE, IGNORE_LATE),
                new Row(new CmEvent.DeviceRemoved(ID), ABANDON, ABANDON, ABANDON, ABANDON, IGNORE_LATE),
                new Row(new CmEvent.AddressChanged(ID), GO_ON, GO_ON, GO_ON, GO_ON, GO_ON));
    }

    @ParameterizedTest
    @MethodSource("table")
    void hasANamedAnswerInEveryState(Row row) {
        List<EventAnswer> answers = Arrays.stream(ChannelState.values())
                .map(state -> EventAnswer.to(row.event(), state))
                .toList();
        assertEquals(List.of(row.answers()), answers);
    }

    @Test
    void theTableHasEveryEvent() {
        Set<Class<?>> there = table().map(row -> row.event().getClass()).collect(Collectors.toSet());
        assertEquals(Set.of(CmEvent.class.getPermittedSubclasses()), there);
    }

    @Test
    void aChannelOnlyGoesUp() {
        for (ChannelState from : ChannelState.values()) {
            for (ChannelState to : ChannelState.values()) {
                assertEquals(to.ordinal() > from.ordinal(), from.mayBecome(to), from + " to " + to);
            }
        }
        assertTrue(ChannelState.CONNECTING.mayBecome(ChannelState.DRAINING));
    }
}
