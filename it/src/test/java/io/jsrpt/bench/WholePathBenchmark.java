package io.jsrpt.bench;

import io.jsrpt.rdma.RdmaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the target from an initiator's command to the response, over UDP on the loopback interface, and in the same
 * run a target that others wrote. The two take turns, so that a machine that is slower for a while is so for both.
 */
@Command(name = "it/bench whole-path", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Measures the target with the Java initiator over loopback UDP, and tgtd to compare with.")
public final class WholePathBenchmark implements Callable<Integer> {
    private static final int VOLUME_BYTES = 256 << 20;

    @Option(names = "--short", description = "about a minute instead of five")
    private boolean brief;

    @Option(names = "--rounds", description = "how often each workload is measured; the medians are printed")
    private Optional<Integer> rounds = Optional.empty();

    @Option(names = "--seconds", description = "how long each measurement takes")
    private Optional<Integer> seconds = Optional.empty();

    @Option(names = "--only", paramLabel = "REGEX", description = "the workloads whose names hold this")
    private Pattern only = Pattern.compile("");

    @Option(names = "--without-peer", description = "leaves tgtd out")
    private boolean withoutPeer;

    private final PrintWriter out = new PrintWriter(System.out, true);

    /** Runs the benchmark; exit status 1 when it could not be run or the data were wrong. */
    public static void main(String[] arguments) {
        CommandLine line = new CommandLine(new WholePathBenchmark());
        line.setExecutionExceptionHandler((exception, command, parsed) -> report(exception));
        System.exit(line.execute(arguments));
    }

    private static int report(Exception exception) throws Exception {
        switch (exception) {
            case BenchmarkException e -> System.err.println("bench: " + e.getMessage());
            case RdmaException e -> System.err.println("bench: " + e.getMessage());
            default -> throw exception;
        }
        return 1;
    }

    @Override
    public Integer call() throws IOException, InterruptedException, BenchmarkException, RdmaException {
        List<Workload> workloads = Workload.ALL.stream().filter(w -> only.matcher(w.title()).find()).toList();
        if (!withoutPeer) {
            Peer.require();
        }
        describeMachine();
        Volume volume = new Volume(VOLUME_BYTES / Volume.PAGE_BYTES);
        try (Programs programs = new Programs();
                TargetProcess target = TargetProcess.start(programs, Path.of("").toAbsolutePath(), VOLUME_BYTES);
                Load load = new Load(volume)) {
            load.fill();
            out.println("target " + target.pid() + " is up; it warms up");
            for (Workload workload : workloads) {
                load.run(workload, brief ? Duration.ofSeconds(1) : Duration.ofSeconds(5), target);
            }
            if (withoutPeer) {
                measure(workloads, load, target, Optional.empty());
            } else {
                try (Peer peer = Peer.start(programs, VOLUME_BYTES)) {
                    measure(workloads, load, target, Optional.of(peer));
                }
            }
        }
        return 0;
    }

    private void measure(List<Workload> workloads, Load load, TargetProcess target, Optional<Peer> peer)
            throws IOException, InterruptedException, BenchmarkException, RdmaException {
        Map<Workload, List<Measurement>> ours = new LinkedHashMap<>();
        Map<Workload, List<Measurement>> peers = new LinkedHashMap<>();
        Duration time = Duration.ofSeconds(seconds.orElse(brief ? 1 : 3));
        int last = rounds.orElse(brief ? 3 : 7);
        for (int round = 1; round <= last; round++) {
            for (Workload workload : workloads) {
                Measurement measurement = load.run(workload, time, target);
                ours.computeIfAbsent(workload, w -> new ArrayList<>()).add(measurement);
                tell(round, workload.title(), measurement);
                if (peer.isPresent() && workload.isRead()) {
                    measurement = peer.get().run(workload, time);
                    peers.computeIfAbsent(workload, w -> new ArrayList<>()).add(measurement);
                    tell(round, "tgtd: " + workload.title(), measurement);
                }
            }
        }
        load.check();
        out.printf("%nmedians of %d rounds of %d s each:%n", last, time.toSeconds());
        new Report(ours, peers).print(out);
        TargetProcess.Heap heap = target.heap();
        out.printf("heap of the target: %.1f MiB alive, %.1f MiB taken from the system, limit %.1f MiB%n",
            heap.live() / 1048576.0, heap.committed() / 1048576.0, heap.limit() / 1048576.0);
        out.println("every byte of the volume was read back and is what was written last");
    }

    private void tell(int round, String title, Measurement measurement) {
        out.printf("round %d: %-34s %,9.0f ops/s, %,9.0f ops/CPU s%n", round, title, measurement.perSecond(),
            measurement.perCpuSecond());
    }

    private void describeMachine() throws IOException {
        String model = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(l -> l.startsWith("model name")).findFirst().map(l -> l.substring(l.indexOf(':') + 2))
            .orElse(System.getProperty("os.arch"));
        out.printf("%d CPUs (%s), Linux %s, Java %s, load %s%n", Runtime.getRuntime().availableProcessors(), model,
            System.getProperty("os.version"), System.getProperty("java.version"),
            Files.readString(Path.of("/proc/loadavg")).strip());
    }
}
