package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line prints and how it exits. */
class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @Test
    void checkFindsNothingInCorrectFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a.conf"), """
            jsrpt { addresses = [127.0.0.1], logical-units = [ { lun = 0, type = memory, size = 1 MiB } ] }
            """);
        assertEquals(0, run("check", file.toString()), err::toString);
        assertEquals(file + ": correct, 1 logical unit\n", out.toString());
    }

    /** TEST-NET-1, RFC 5737: no host has its addresses. */
    @Test
    void checkMentionsAddressOfAnotherHost(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a.conf"), """
            jsrpt { addresses = [192.0.2.1], logical-units = [ { lun = 0, type = memory, size = 1 MiB } ] }
            """);
        assertEquals(0, run("check", file.toString()));
        assertTrue(out.toString().startsWith(file + ":1: jsrpt.addresses: this host has no address 192.0.2.1; it has "),
            out::toString);
    }

    @Test
    void checkPrintsEachMistakeOnItsLine(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a.conf"), "jsrpt {\n port = 0\n addresses = [lo]\n}\n");
        assertEquals(2, run("check", file.toString()));
        assertEquals("", out.toString());
        String[] lines = err.toString().split("\n");
        assertEquals(2, lines.length, err::toString);
        assertTrue(lines[0].startsWith(file + ":1: jsrpt.logical-units: there is none"), err::toString);
        assertTrue(lines[1].startsWith(file + ":2: jsrpt.port: is 0"), err::toString);
    }

    @Test
    void versionIsPrinted() {
        assertEquals(0, run("version"));
        assertTrue(out.toString().startsWith("jsrpt "), out::toString);
        assertTrue(out.toString().contains("Java " + Runtime.version()), out::toString);
    }

    @Test
    void devicesAreListedByProvider() {
        assertEquals(0, run("devices"), err::toString);
        assertTrue(out.toString().contains("roce: can run\n"), out::toString);
        assertTrue(out.toString().contains("verbs: "), out::toString);
    }

    @Test
    void wrongCommandLineExitsWith2() {
        assertEquals(2, run());
        assertEquals(2, run("serf"));
        assertEquals(2, run("check"));
        assertEquals(0, run("--help"));
        assertTrue(out.toString().contains("check"), out::toString);
    }
}
