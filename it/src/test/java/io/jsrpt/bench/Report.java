package io.jsrpt.bench;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The table of medians, and what they come to. */
final class Report {
    /** The workload by which targets are compared. */
    static final Workload COMPARED = new Workload(Workload.Operation.READ, 4096, 32);

    private static final double MIB = 1 << 20;
    private static final String ROW = "%-32s %10s %9s %12s %12s %10s%n";

    private final Map<Workload, List<Measurement>> ours;
    private final Map<Workload, List<Measurement>> peers;

    Report(Map<Workload, List<Measurement>> ours, Map<Workload, List<Measurement>> peers) {
        this.ours = new LinkedHashMap<>(ours);
        this.peers = new LinkedHashMap<>(peers);
    }

    void print(PrintWriter out) {
        out.printf(ROW, "", "ops/s", "MiB/s", "CPU s/1M ops", "ops/CPU s", "B/op");
        ours.forEach((workload, rounds) -> row(out, workload.title(), workload, rounds, true));
        peers.forEach((workload, rounds) -> row(out, "tgtd: " + workload.title(), workload, rounds, false));
        out.println();
        peers.forEach((workload, rounds) -> {
            if (ours.containsKey(workload)) {
                out.printf("jsrpt to tgtd, %s: %.2f times the operations per second, %.2f per CPU second%n",
                    workload.title(), ratio(workload, Measurement::perSecond),
                    ratio(workload, Measurement::perCpuSecond));
            }
        });
        out.flush();
    }

    private static void row(
            PrintWriter out, String title, Workload workload, List<Measurement> rounds, boolean allocation) {
        double perSecond = Measurement.median(rounds, Measurement::perSecond);
        out.printf(ROW, title, number(perSecond), number(perSecond * workload.bytes() / MIB),
            String.format("%.1f", Measurement.median(rounds, Measurement::cpuSecondsPerMillion)),
            number(Measurement.median(rounds, Measurement::perCpuSecond)),
            allocation ? number(Measurement.median(rounds, Measurement::allocatedPerOperation)) : "-");
    }

    private static String number(double value) {
        return String.format("%,.0f", value);
    }

    /** How many times the peer's figure ours is. */
    double ratio(Workload workload, ToDoubleFunction<Measurement> quantity) {
        return Measurement.median(ours.get(workload), quantity) / Measurement.median(peers.get(workload), quantity);
    }
}
