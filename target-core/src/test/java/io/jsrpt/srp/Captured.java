package io.jsrpt.srp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;

/** Units that a Linux initiator and the kernel's target exchanged. */
final class Captured {
    private static final Map<String, String> UNITS = load();

    private Captured() {}

    static byte[] bytes(String name) {
        String hex = UNITS.get(name);
        if (hex == null) {
            throw new IllegalArgumentException("no unit is named " + name);
        }
        return HexFormat.of().parseHex(hex);
    }

    static MemorySegment segment(String name) {
        return MemorySegment.ofArray(bytes(name));
    }

    private static Map<String, String> load() {
        try (InputStream in = Captured.class.getResourceAsStream("linux-ib_srp-and-lio.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" "))
                    .collect(Collectors.toMap(words -> words[0], words -> words[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
