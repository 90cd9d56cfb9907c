package io.jsrpt.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A storage target in user space that others wrote, to compare with: {@code tgtd} over iSCSI on the loopback interface,
 * its volume a file in memory, loaded by {@code iscsi-perf} with random reads. It listens on ports of its own, so that
 * a tgtd that serves this host is not disturbed.
 */
final class Peer implements AutoCloseable {
    private static final String NAME = "iqn.2026-01.io.jsrpt:bench";
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    /** Only a number in the socket's name. */
    private static final String CONTROL_PORT = "1";

    private static final int BLOCK_BYTES = 512;
    private static final int CHUNK = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern AVERAGE = Pattern.compile("iops average (\\d+)");
    /** Fields 14 and 15 of /proc/PID/stat, after the name in parentheses: ticks in user and in system mode. */
    private static final int USER_TICKS = 11;
    private static final int TICKS_PER_SECOND = 100;

    private final Programs programs;
    private final Path perf;
    private final Process daemon;
    private final String url;

    private Peer(Programs programs, Path perf, Process daemon, String url) {
        this.programs = programs;
        this.perf = perf;
        this.daemon = daemon;
        this.url = url;
    }

    /** Fails when one of the programs is not installed. */
    static void require() throws BenchmarkException {
        Programs.find("tgtd", "tgt");
        Programs.find("tgtadm", "tgt");
        Programs.find("iscsi-perf", "libiscsi-bin");
    }

    /** Starts the daemon and makes its volume, of random bytes. */
    static Peer start(Programs programs, long volumeBytes)
            throws IOException, InterruptedException, BenchmarkException {
        require();
        Path folder = Files.createTempDirectory("jsrpt-bench");
        Path volume = Files.createTempFile(IN_MEMORY, "jsrpt-bench", ".volume");
        try {
            fill(volume, volumeBytes);
            int port = freePort();
            Path log = folder.resolve("log");
            Process daemon = programs.start(control(folder, new ProcessBuilder(
                Programs.find("tgtd", "tgt").toString(), "-f", "-C", CONTROL_PORT, "--iscsi",
                "portal=127.0.0.1:" + port)).redirectErrorStream(true).redirectOutput(log.toFile()));
            Path socket = folder.resolve("control." + CONTROL_PORT);
            for (int i = 0; i < 100 && daemon.isAlive() && !Files.exists(socket); i++) {
                Thread.sleep(PATIENCE.toMillis() / 100);
            }
            if (!daemon.isAlive() || !Files.exists(socket)) {
                throw new BenchmarkException("tgtd did not start: " + Files.readString(log));
            }
            for (List<String> step : List.of(
                    List.of("--op", "new", "--mode", "target", "--tid", "1", "-T", NAME),
                    List.of("--op", "new", "--mode", "logicalunit", "--tid", "1", "--lun", "1", "--bstype", "rdwr",
                        "-b", volume.toString()),
                    List.of("--op", "bind", "--mode", "target", "--tid", "1", "-I", "ALL"))) {
                List<String> words = new ArrayList<>(List.of(Programs.find("tgtadm", "tgt").toString(), "-C",
                    CONTROL_PORT, "--lld", "iscsi"));
                words.addAll(step);
                programs.run(control(folder, new ProcessBuilder(words)), PATIENCE);
            }
            return new Peer(programs, Programs.find("iscsi-perf", "libiscsi-bin"), daemon,
                "iscsi://127.0.0.1:" + port + "/" + NAME + "/1");
        } finally {
            // the daemon has them open
            Files.delete(volume);
            delete(folder);
        }
    }

    /** The daemon and its control program meet at a socket in this folder, instead of one that needs privileges. */
    private static ProcessBuilder control(Path folder, ProcessBuilder builder) {
        builder.environment().put("TGT_IPC_SOCKET", folder.resolve("control").toString());
        return builder;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void fill(Path file, long bytes) throws IOException {
        SplittableRandom random = new SplittableRandom(bytes);
        byte[] chunk = new byte[CHUNK];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long at = 0; at < bytes; at += CHUNK) {
                random.nextBytes(chunk);
                out.write(chunk);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Runs a workload of reads for this long, which iscsi-perf takes in whole seconds. */
    Measurement run(Workload workload, Duration time) throws IOException, InterruptedException, BenchmarkException {
        long seconds = Math.max(1, time.toSeconds());
        double before = cpuSeconds();
        String output = programs.run(new ProcessBuilder(perf.toString(), "-r", "-m", Integer.toString(workload.depth()),
            "-b", Integer.toString(workload.bytes() / BLOCK_BYTES), "-t", Long.toString(seconds), url),
            PATIENCE.plus(time));
        double used = cpuSeconds() - before;
        long perSecond = averageOf(output);
        return new Measurement(perSecond * seconds, seconds, used, 0);
    }

    /** The last average that iscsi-perf tells: that of the whole run. */
    static long averageOf(String output) throws BenchmarkException {
        Matcher matcher = AVERAGE.matcher(output);
        long average = 0;
        while (matcher.find()) {
            average = Long.parseLong(matcher.group(1));
        }
        if (average == 0 || !output.contains("finished.")) {
            throw new BenchmarkException("iscsi-perf did not run to its end: " + output);
        }
        return average;
    }

    private double cpuSeconds() throws IOException {
        return cpuSecondsOf(Files.readString(Path.of("/proc", Long.toString(daemon.pid()), "stat")));
    }

    /** The CPU time of all threads that a process has or had, from its line in /proc. */
    static double cpuSecondsOf(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (double) (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1]))
            / TICKS_PER_SECOND;
    }

    @Override
    public void close() {
        // it puts off a polite request for as long as it has known an initiator
        daemon.destroyForcibly();
    }
}
