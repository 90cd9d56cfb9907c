package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.conf.Configuration.LogLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The level of the log. */
class LoggingTest {
    @AfterEach
    void restore() {
        Logging.level(LogLevel.INFO, 0);
    }

    @Test
    void optionMakesItMoreTalkativeUpToTrace() {
        assertEquals(LogLevel.DEBUG, Logging.moreTalkative(LogLevel.INFO, 1));
        assertEquals(LogLevel.TRACE, Logging.moreTalkative(LogLevel.INFO, 5));
        assertEquals(LogLevel.ERROR, Logging.moreTalkative(LogLevel.ERROR, 0));
    }

    @Test
    void levelTakesEffect() {
        Logging.level(LogLevel.INFO, 0);
        assertFalse(LoggerFactory.getLogger("io.jsrpt.any").isDebugEnabled());
        Logging.level(LogLevel.INFO, 1);
        assertTrue(LoggerFactory.getLogger("io.jsrpt.any").isDebugEnabled());
    }
}
