package io.jsrpt.actor;

import java.time.Duration;

/**
 * How long the target waits for others; nothing waits without a bound.
 *
 * @param login for a channel actor to decide about a login
 * @param establish for the initiator's RTU after the reply
 * @param probe for a sign of life on a connection before it is probed; a dead one ends when the transport then runs
 *     out of retries
 * @param disconnect for the answer to a DREQ
 * @param drain for the last completions of a queue pair in error, and of the stores
 * @param shutdown for all sessions to end when the target is shut down
 * @param retry between two attempts to open a device or a listener
 */
public record TargetTimeouts(
        Duration login,
        Duration establish,
        Duration probe,
        Duration disconnect,
        Duration drain,
        Duration shutdown,
        Duration retry) {
    /**
     * 5 s for a login, 30 s for its RTU, 15 s for a sign of life, 5 s for a DREP, 10 s to drain, 20 s to shut down, 5 s
     * between attempts.
     */
    public static final TargetTimeouts DEFAULT = new TargetTimeouts(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(15),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            Duration.ofSeconds(5));

    public TargetTimeouts {
        positive(login, "login");
        positive(establish, "establish");
        positive(probe, "probe");
        positive(disconnect, "disconnect");
        positive(drain, "drain");
        positive(shutdown, "shutdown");
        positive(retry, "retry");
    }

    private static void positive(Duration value, String name) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("the " + name + " timeout is not positive: " + value);
        }
    }
}
