package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code jsrpt serve} as a process: what an operator sees and what a script can rely on. */
class ServeProcessTest {
    private static final long PATIENCE_SECONDS = 120;
    private static final int SIGTERM_STATUS = 143;

    @TempDir
    private Path folder;
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void servesUntilSigtermAndSaysHowToLogIn() throws Exception {
        Path status = folder.resolve("status");
        Process target = start("one", "serve", "--status", status.toString(), file("one", "127.0.66.1", """
            { lun = 0, type = file, path = disk.img, size = 1 MiB }, { lun = 1, type = memory, size = 1 MiB }""", ""));
        awaitReady(target, "one");
        assertEquals("""
            target one, provider roce, 2 logical units
            listening on 127.0.66.1:5555; a Linux initiator logs in with
              echo 'id_ext=00a1b2c3d4e5f607,ioc_guid=00a1b2c3d4e5f607,dest=127.0.66.1:5555' \
            > /sys/class/infiniband_srp/srp-rxe0-1/add_target
            rxe0 stands for the initiator's RDMA device: ls /sys/class/infiniband_srp
            ready
            """, out("one"));
        String written = Files.readString(status);
        assertTrue(written.contains("listener roce0 0x00000000010615b3 127.0.66.1 listening\n"), written);
        assertTrue(written.contains("\nsessions 0\n"), written);
        await("the status is written again", () -> !content(status).equals(written) && !content(status).isEmpty());

        target.destroy();
        assertEquals(SIGTERM_STATUS, exit(target));
        assertTrue(err("one").contains("target one has stopped"), err("one"));
        assertFalse(err("one").contains("Exception"), err("one"));
    }

    @Test
    void fileThatGrowsIsServedWithItsNewSize() throws Exception {
        Process target = start("grown", "serve", file("grown", "127.0.66.5",
            "{ lun = 3, type = file, path = disk.img, size = 1 MiB }", "capacity-check = 100 ms"));
        awaitReady(target, "grown");
        try (RandomAccessFile disk = new RandomAccessFile(folder.resolve("disk.img").toFile(), "rw")) {
            disk.setLength(2 << 20);
        }
        await("the new size is noticed",
            () -> err("grown").contains("LUN 3 has grown to 4096 blocks of 512 bytes"));
        target.destroy();
        assertEquals(SIGTERM_STATUS, exit(target));
        assertFalse(err("grown").contains("Exception"), err("grown"));
    }

    @Test
    void reservationsThatCannotBeReadAreNotForgotten() throws Exception {
        Path kept = Files.writeString(folder.resolve("disk.img.reservations"), "jsrpt-reservations 1\nunit x\n");
        assertEquals(2, exit(start("kept", "serve", file("kept", "127.0.66.6",
            "{ lun = 4, type = file, path = disk.img, size = 1 MiB, naa = \"6" + "0".repeat(31) + "\" }", ""))));
        assertEquals("jsrpt: LUN 4: " + kept + " does not hold the reservations of naa.6" + "0".repeat(31)
            + ": it is cut off; put it right, or delete it if no initiator counts on a reservation\n", err("kept"));
    }

    @Test
    void whatAnotherTargetHoldsIsNamedInALine() throws Exception {
        String disk = "{ lun = 0, type = file, path = disk.img, size = 1 MiB }";
        Process first = start("first", "serve", file("first", "127.0.66.2", disk, ""));
        awaitReady(first, "first");

        assertEquals(2, exit(start("second", "serve", file("second", "127.0.66.3", disk, ""))));
        assertEquals("jsrpt: LUN 0: " + folder.resolve("disk.img") + " is in use by another program\n", err("second"));

        String other = "{ lun = 0, type = memory, size = 1 MiB }";
        assertEquals(2, exit(start("third", "serve", file("third", "127.0.66.2", other, ""))));
        String line = err("third");
        assertTrue(line.startsWith("jsrpt: cannot open UDP port 4791 at 127.0.66.2: ") && line.contains("rdma_rxe"),
            line);
        assertEquals(1, line.lines().count(), line);
        assertEquals("", out("third"));
        assertTrue(first.isAlive());
    }

    /** TEST-NET-1, RFC 5737: no host has its addresses. */
    @Test
    void addressThatIsNotThereIsWaitedForAndThenNamed() throws Exception {
        String disk = "{ lun = 0, type = memory, size = 1 MiB }";
        String conf = file("absent", "192.0.2.1", disk, "timeouts.wait-for-addresses = 1 s");
        assertEquals(2, exit(start("absent", "serve", conf)));
        List<String> lines = err("absent").lines().toList();
        assertEquals(2, lines.size(), lines::toString);
        assertTrue(lines.get(0).contains("waiting up to 1 s: "), lines::toString);
        assertTrue(lines.get(1).startsWith(conf + ":2: jsrpt.addresses: this host has no address 192.0.2.1; it has "),
            lines::toString);
    }

    @Test
    void statusFileThatCannotBeWrittenIsNamed() throws Exception {
        Path nowhere = folder.resolve("no-such-folder").resolve("status");
        assertEquals(2, exit(start("blind", "serve", "--status", nowhere.toString(),
            file("blind", "127.0.66.4", "{ lun = 0, type = memory, size = 1 MiB }", "log-level = error"))));
        assertEquals("jsrpt: cannot write the status to " + nowhere + ": there is no folder for " + nowhere + ".new\n",
            err("blind"));
        assertEquals("", out("blind"));
    }

    /** A configuration whose line 2 has the address. */
    private String file(String name, String address, String units, String more) throws IOException {
        return Files.writeString(folder.resolve(name + ".conf"), "jsrpt {\naddresses = [\"" + address + "\"]\n"
            + "target { name = " + name + ", ioc-guid = \"00a1b2c3d4e5f607\" }\nlogical-units = [" + units + "]\n"
            + more + "\n}\n").toString();
    }

    private Process start(String name, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--")).toList());
        command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
            Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectOutput(folder.resolve(name + ".out").toFile())
            .redirectError(folder.resolve(name + ".err").toFile()).start();
        started.add(process);
        return process;
    }

    private void awaitReady(Process target, String name) {
        await(name + " is ready", () -> out(name).endsWith("ready\n") || !target.isAlive());
        assertTrue(target.isAlive(), () -> err(name));
    }

    private static int exit(Process process) throws InterruptedException {
        assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "the process does not end");
        return process.exitValue();
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, what);
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private String out(String name) {
        return content(folder.resolve(name + ".out"));
    }

    private String err(String name) {
        return content(folder.resolve(name + ".err"));
    }

    private static String content(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
