package io.jsrpt.conf;

import io.jsrpt.actor.TargetStatus;
import io.jsrpt.rdma.RdmaDevice;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a file up to date that tells what the target is doing, one thing a line: its listeners, sessions and channels,
 * what each device counts, and the memory outside the heap. Readers see either the old file or the new one.
 */
final class StatusFile {
    private static final Logger LOG = LoggerFactory.getLogger(StatusFile.class);
    private static final int PERIOD_MILLIS = 1000;

    private final Path file;
    private final Server server;
    private String lastProblem = "";

    private StatusFile(Path file, Server server) {
        this.file = file;
        this.server = server;
    }

    /** Starts a daemon thread that writes the file every second until the JVM ends. */
    static void keep(Path file, Server server) {
        StatusFile status = new StatusFile(file, server);
        Thread.ofVirtual().name("status").start(status::writeForEver);
    }

    private void writeForEver() {
        try {
            while (true) {
                write();
                Thread.sleep(PERIOD_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A problem is logged when it comes up, not each second. */
    private void write() {
        String problem = "";
        try {
            String text = text(server.status().toCompletableFuture().join(), server.devices());
            Path next = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(next, text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | CompletionException e) {
            problem = e.toString();
            if (!problem.equals(lastProblem)) {
                LOG.warn("cannot write the status to {}: {}", file, problem);
            }
        }
        lastProblem = problem;
    }

    static String text(TargetStatus status, List<RdmaDevice> devices) {
        StringBuilder text = new StringBuilder("target ").append(status.name()).append('\n');
        for (TargetStatus.Listener listener : status.listeners()) {
            text.append("listener ").append(listener.device()).append(' ').append(listener.service()).append(' ')
                .append(listener.listening() ? "listening" : "not listening: " + listener.problem()).append('\n');
        }
        for (TargetStatus.Session session : status.sessions()) {
            text.append("session ").append(session.name()).append(" initiator=").append(session.initiatorPort())
                .append(" target=").append(session.targetPort()).append(" channels=").append(session.channels().size())
                .append('\n');
            for (TargetStatus.Channel channel : session.channels()) {
                text.append("channel ").append(channel.number()).append(' ').append(channel.state()).append(' ')
                    .append(channel.statistics()).append('\n');
            }
        }
        text.append("sessions ").append(status.sessions().size()).append('\n');
        for (RdmaDevice device : devices) {
            device.counters().forEach(counter -> text.append("count ").append(device.name()).append(' ')
                .append(counter.name()).append(' ').append(counter.value()).append('\n'));
        }
        return text.append("memory ").append(memory()).append('\n').toString();
    }

    private static String memory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .map(pool -> "outside-heap=" + pool.getMemoryUsed()).collect(Collectors.joining());
    }
}
