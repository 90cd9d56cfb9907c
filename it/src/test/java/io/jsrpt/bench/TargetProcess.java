package io.jsrpt.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A target with one memory disk, in a process of its own, started as its users start it; and what it consumes. */
final class TargetProcess implements AutoCloseable {
    static final String ADDRESS = "127.0.0.1";
    static final int PORT = 5555;
    static final long GUID = 0x6a73_7270_7462_656eL;

    private static final int START_SECONDS = 300;

    private final Process process;
    private final JMXConnector connector;
    private final ThreadMXBean threads;
    private final OperatingSystemMXBean system;
    private final MemoryMXBean memory;

    /** CPU time of all threads of the process so far, and the heap bytes that they have allocated. */
    record Usage(long cpuNanos, long allocatedBytes) {}

    /** Bytes of the heap: what its objects take after a collection, what the JVM took of the system, and the limit. */
    record Heap(long live, long committed, long limit) {}

    private TargetProcess(Process process, JMXConnector connector) throws IOException {
        this.process = process;
        this.connector = connector;
        MBeanServerConnection beans = connector.getMBeanServerConnection();
        threads = ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        system = ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME, OperatingSystemMXBean.class);
        memory = ManagementFactory.newPlatformMXBeanProxy(
            beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
    }

    /**
     * Starts a target and waits until it listens.
     *
     * @param root the folder of the project, which has the launcher
     * @param volumeBytes of the disk
     */
    static TargetProcess start(Programs programs, Path root, long volumeBytes)
            throws IOException, InterruptedException, BenchmarkException {
        Path configuration = Files.createTempFile("jsrpt-bench", ".conf");
        try {
            Files.writeString(configuration, """
                jsrpt {
                  addresses = ["%s"], port = %d, log-level = warn
                  target { name = bench, ioc-guid = "%016x" }
                  logical-units = [{ lun = 0, type = memory, size = %d }]
                }
                """.formatted(ADDRESS, PORT, GUID, volumeBytes));
            Process process = programs.start(new ProcessBuilder(
                root.resolve("jsrpt").toString(), "serve", configuration.toString()).redirectErrorStream(true));
            awaitReady(process);
            return new TargetProcess(process, connect(process.pid()));
        } finally {
            Files.delete(configuration);
        }
    }

    private static void awaitReady(Process process) throws InterruptedException, BenchmarkException {
        CompletableFuture<String> problem = new CompletableFuture<>();
        Thread.ofVirtual().name("target's output").start(() -> follow(process, problem));
        try {
            String text = problem.get(START_SECONDS, TimeUnit.SECONDS);
            if (!text.isEmpty()) {
                throw new BenchmarkException("the target did not start: " + text);
            }
        } catch (ExecutionException | TimeoutException e) {
            throw new BenchmarkException("the target did not start", e);
        }
    }

    /** Once it is ready, what the target writes goes to standard error, so that its warnings are seen. */
    private static void follow(Process process, CompletableFuture<String> problem) {
        StringBuilder before = new StringBuilder();
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (problem.isDone()) {
                    System.err.println("target: " + line);
                } else if (line.equals("ready")) {
                    problem.complete("");
                } else {
                    before.append(line).append(System.lineSeparator());
                }
            }
            problem.complete(before.append("it has ended").toString());
        } catch (IOException e) {
            problem.completeExceptionally(e);
        }
    }

    // the address is one that the child process has just told
    @SuppressWarnings("BanJNDI")
    private static JMXConnector connect(long pid) throws IOException, BenchmarkException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new BenchmarkException("cannot attach to the target's JVM", e);
        }
    }

    long pid() {
        return process.pid();
    }

    Usage usage() {
        return new Usage(system.getProcessCpuTime(), threads.getTotalThreadAllocatedBytes());
    }

    /** Collects garbage to tell what is alive. */
    Heap heap() {
        long committed = memory.getHeapMemoryUsage().getCommitted();
        memory.gc();
        return new Heap(memory.getHeapMemoryUsage().getUsed(), committed, memory.getHeapMemoryUsage().getMax());
    }

    @Override
    public void close() throws IOException {
        connector.close();
        Programs.end(process);
    }
}
