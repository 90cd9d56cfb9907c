package io.jsrpt.conf;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets the level of the log. */
final class Logging {
    private static final String OURS = "io.jsrpt";

    private Logging() {
    }

    /**
     * Sets the level of the target's own messages.
     *
     * @param steps how many levels more talkative than configured
     */
    static void level(Configuration.LogLevel configured, int steps) {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (factory instanceof LoggerContext context) {
            context.getLogger(OURS).setLevel(Level.toLevel(moreTalkative(configured, steps).name()));
        } else {
            Logger log = LoggerFactory.getLogger(Logging.class);
            log.warn("log-level has no effect: the log goes to {}", factory.getClass().getName());
        }
    }

    static Configuration.LogLevel moreTalkative(Configuration.LogLevel level, int steps) {
        return Configuration.LogLevel.values()[Math.max(0, level.ordinal() - steps)];
    }
}
