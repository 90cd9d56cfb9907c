package io.jsrpt.bench;

import java.util.List;

/**
 * One kind of load.
 *
 * @param operation what each command does
 * @param bytes of data of each command, a multiple of {@link Volume#PAGE_BYTES}
 * @param depth commands under way at a time
 */
record Workload(Operation operation, int bytes, int depth) {
    private static final int SMALL = 4096;
    private static final int LARGE = 1 << 20;
    private static final int SHALLOW = 1;
    private static final int DEEP = 32;
    /** As much as a channel's default buffer memory holds. */
    private static final int DEEP_LARGE = 8;

    /** What is measured, in this order. */
    static final List<Workload> ALL = List.of(
        new Workload(Operation.READ, SMALL, SHALLOW),
        new Workload(Operation.READ, SMALL, DEEP),
        new Workload(Operation.WRITE_IMMEDIATE, SMALL, SHALLOW),
        new Workload(Operation.WRITE_IMMEDIATE, SMALL, DEEP),
        new Workload(Operation.WRITE, SMALL, DEEP),
        new Workload(Operation.READ, LARGE, SHALLOW),
        new Workload(Operation.READ, LARGE, DEEP_LARGE),
        new Workload(Operation.WRITE, LARGE, DEEP_LARGE));

    /** To fill the volume, and to check all of it. */
    static final Workload SWEEP_WRITE = new Workload(Operation.WRITE, LARGE, DEEP_LARGE);

    static final Workload SWEEP_READ = new Workload(Operation.READ, LARGE, DEEP_LARGE);

    enum Operation {
        READ("read"),
        /** The data are in the command's information unit, as Linux sends short writes. */
        WRITE_IMMEDIATE("write"),
        /** The target fetches the data by RDMA READ. */
        WRITE("write by RDMA READ");

        private final String title;

        Operation(String title) {
            this.title = title;
        }
    }

    boolean isRead() {
        return operation == Operation.READ;
    }

    /** For example {@code "read 4 KiB, depth 32"}. */
    String title() {
        return operation.title + ' ' + (bytes < LARGE ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB")
            + ", depth " + depth;
    }
}
