package io.jsrpt.conf;

import java.time.Duration;

/** Sizes and time spans as a person writes them. */
final class Sizes {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private Sizes() {
    }

    /** The size in the largest unit that divides it. */
    static String text(long bytes) {
        int unit = 0;
        long count = bytes;
        while (count != 0 && count % 1024 == 0 && unit < UNITS.length - 1) {
            count /= 1024;
            unit++;
        }
        return count + " " + UNITS[unit];
    }

    static String text(Duration span) {
        long millis = span.toMillis();
        if (millis % 1000 != 0) {
            return millis + " ms";
        }
        return millis % 60_000 == 0 && millis != 0 ? millis / 60_000 + " minutes" : millis / 1000 + " s";
    }
}
