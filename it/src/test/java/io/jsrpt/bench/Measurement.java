package io.jsrpt.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one round of a workload came to.
 *
 * @param operations commands that ended with status GOOD
 * @param seconds from the first command to the last response
 * @param cpuSeconds that all threads of the target's process have used in that time
 * @param allocatedBytes that all threads of the target's JVM have allocated on the heap in that time; 0 for a peer
 */
record Measurement(long operations, double seconds, double cpuSeconds, long allocatedBytes) {
    double perSecond() {
        return operations / seconds;
    }

    double perCpuSecond() {
        return operations / cpuSeconds;
    }

    double cpuSecondsPerMillion() {
        return cpuSeconds * 1e6 / operations;
    }

    double allocatedPerOperation() {
        return (double) allocatedBytes / operations;
    }

    /** The median of a quantity over rounds; of an even number of them the mean of the middle two. */
    static double median(List<Measurement> rounds, ToDoubleFunction<Measurement> quantity) {
        double[] sorted = rounds.stream().mapToDouble(quantity).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no rounds");
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : Arrays.stream(sorted, middle - 1, middle + 1).sum() / 2;
    }
}
