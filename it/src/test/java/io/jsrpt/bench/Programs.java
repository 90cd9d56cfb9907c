package io.jsrpt.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of this machine, and the processes that were started from them: all end with this JVM. */
final class Programs implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final List<Process> running = new ArrayList<>();
    private boolean closed;

    Programs() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end the processes"));
    }

    /**
     * Where a program is.
     *
     * @throws BenchmarkException when it is not installed, with the name of its Debian package
     */
    static Path find(String name, String debianPackage) throws BenchmarkException {
        // the folders of system programs are not on every user's path
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("") + ":/usr/local/sbin:/usr/sbin:/sbin";
        return Stream.of(path.split(File.pathSeparator)).filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder, name)).filter(Files::isExecutable).findFirst()
            .orElseThrow(() -> new BenchmarkException(name + " is not installed (Debian: apt install " + debianPackage
                + "); --without-peer leaves the comparison out"));
    }

    /** Starts a process that is ended by {@link #close} at the latest. */
    synchronized Process start(ProcessBuilder builder) throws IOException {
        if (closed) {
            throw new IOException("interrupted");
        }
        Process process = builder.start();
        running.add(process);
        return process;
    }

    /**
     * Runs a process to its end.
     *
     * @return what it wrote, standard output and error in one
     * @throws BenchmarkException when it fails, or takes longer than this
     */
    String run(ProcessBuilder builder, Duration limit) throws IOException, InterruptedException, BenchmarkException {
        Path output = Files.createTempFile("jsrpt-bench", ".out");
        try {
            Process process = start(builder.redirectErrorStream(true).redirectOutput(output.toFile()));
            boolean ended = process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
            String text = Files.readString(output);
            if (!ended) {
                end(process);
                throw new BenchmarkException(builder.command() + " did not end within " + limit + ": " + text);
            }
            if (process.exitValue() != 0) {
                throw new BenchmarkException(builder.command() + " ended with " + process.exitValue() + ": " + text);
            }
            return text;
        } finally {
            Files.delete(output);
        }
    }

    /** Asks a process to end, and makes it when it does not. */
    static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toNanos(), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        running.forEach(Programs::end);
        running.clear();
    }
}
