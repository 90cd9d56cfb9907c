package io.jsrpt.rdma.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory this process may lock. */
final class LockedMemory {
    private static final String NAME = "Max locked memory";

    private LockedMemory() {}

    /** For people: a number of bytes, or that there is no limit. */
    static String limit() {
        try {
            return limit(Files.readAllLines(Path.of("/proc/self/limits")));
        } catch (IOException e) {
            return "an unknown amount";
        }
    }

    /** From the lines of {@code /proc/self/limits}: the soft limit. */
    static String limit(List<String> limits) {
        for (String line : limits) {
            if (line.startsWith(NAME)) {
                String soft = line.substring(NAME.length()).strip().split("\\s+")[0];
                return soft.equals("unlimited") ? "any amount" : soft + " bytes";
            }
        }
        return "an unknown amount";
    }
}
