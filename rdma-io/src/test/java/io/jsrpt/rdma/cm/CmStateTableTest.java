package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.cm.CmMessage.Malformed;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Every datagram, and every command, in every state: what is answered, what is told, and what comes after. The tables
 * are resources: state, input, answers, events, next state; "-" is nothing. Where a state is reached in two ways that
 * differ, its name carries the way.
 */
class CmStateTableTest {
    private final Node node = new Node("10.0.0.1", 1, s -> s);
    private final ScriptedPeer peer = new ScriptedPeer(node);

    private String answers() {
        return orDash(node.sent.stream().map(s -> name(CmMessage.decode(s.mad()))).collect(Collectors.joining("+")));
    }

    private static String name(CmMessage m) {
        return switch (m) {
            case CmMessage.Rej rej -> "REJ " + rej.reason();
            case Malformed bad -> throw new AssertionError(bad);
            default -> m.getClass().getSimpleName().toUpperCase(Locale.ROOT);
        };
    }

    private String events() {
        return orDash(node.events.stream().map(CmStateTableTest::name).collect(Collectors.joining("+")));
    }

    private static String name(CmEvent e) {
        return e instanceof CmEvent.Rejected r ? "Rejected " + r.reason() : e.getClass().getSimpleName();
    }

    private static String orDash(String s) {
        return s.isEmpty() ? "-" : s;
    }

    private String outcome(CmConnection c) {
        return answers() + " | " + events() + " | " + c.state;
    }

    /** Reports 19 and 20 (a DREQ left unanswered, in whatever state, leaves the peer hanging): see the DREQ rows. */
    @ParameterizedTest(name = "{1}-in-state-{0}")
    @CsvFileSource(resources = "datagram-in-state.csv", numLinesToSkip = 1)
    void datagram(String state, String message, String answers, String events, String next) {
        CmConnection c = peer.bring(state);
        peer.say(peer.message(message, c));
        assertEquals(answers + " | " + events + " | " + next, outcome(c));
    }

    @ParameterizedTest(name = "{1}-in-state-{0}")
    @CsvFileSource(resources = "command-in-state.csv", numLinesToSkip = 1)
    void command(String state, String command, String answers, String events, String next) {
        CmConnection c = peer.bring(state);
        switch (command) {
            case "connect" -> node.engine.connect(c, 0x21, Node.PARAMETERS, Node.NOTHING);
            case "accept" -> node.engine.accept(c, 0x31, Node.PARAMETERS, Node.NOTHING);
            case "reject" -> node.engine.reject(c, 28, Node.NOTHING);
            case "disconnect" -> node.engine.disconnect(c);
            case "destroy" -> node.engine.destroy(c);
            case "established" -> node.engine.established(c);
            case "timer" -> node.advance(Math.min(node.engine.nanosToNextDeadline(), 1L << 40));
            default -> throw new IllegalArgumentException(command);
        }
        assertEquals(answers + " | " + events + " | " + next, outcome(c));
    }
}
