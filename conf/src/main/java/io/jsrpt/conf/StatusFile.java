package io.jsrpt.conf;

import io.jsrpt.actor.TargetStatus;
import io.jsrpt.channel.ChannelStatistics;
import io.jsrpt.rdma.RdmaDevice;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a file up to date that tells what the target is doing, one thing a line: when it was written, the listeners,
 * sessions and channels, what each device counts, and the memory outside the heap. Readers see either the old file or
 * the new one. docs/operations.md explains the lines.
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

    /**
     * Writes the file, and starts a daemon thread that does it again every second until the JVM ends.
     *
     * @throws StartException when it cannot be written at all
     */
    static void keep(Path file, Server server) throws StartException {
        StatusFile status = new StatusFile(file, server);
        status.write();
        if (!status.lastProblem.isEmpty()) {
            server.close();
            throw new StartException("cannot write the status to " + file + ": " + status.lastProblem);
        }
        Thread.ofVirtual().name("status").start(status::writeForEver);
    }

    private void writeForEver() {
        try {
            while (true) {
                Thread.sleep(PERIOD_MILLIS);
                String before = lastProblem;
                write();
                if (!lastProblem.isEmpty() && !lastProblem.equals(before)) {
                    LOG.warn("cannot write the status to {}: {}", file, lastProblem);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        try {
            String text = text(server.status().toCompletableFuture().join(), server.devices());
            Path next = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(next, "written " + Instant.now() + "\n" + text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            lastProblem = "";
        } catch (NoSuchFileException e) {
            lastProblem = "there is no folder for " + e.getFile();
        } catch (IOException | CompletionException e) {
            lastProblem = e.toString();
        }
    }

    static String text(TargetStatus status, List<RdmaDevice> devices) {
        StringBuilder text = new StringBuilder("target ").append(status.name()).append('\n');
        for (TargetStatus.Listener listener : status.listeners()) {
            text.append("listener ").append(listener.device()).append(' ').append(listener.service()).append(' ')
                .append(listener.addresses().stream().map(gid -> LocalAddresses.text(gid.toAddress()))
                    .collect(Collectors.joining(","))).append(' ')
                .append(listener.listening() ? "listening" : "not listening: " + listener.problem()).append('\n');
        }
        for (TargetStatus.Session session : status.sessions()) {
            text.append("session ").append(session.name()).append(" initiator=").append(session.initiatorPort())
                .append(" target=").append(session.targetPort()).append(" channels=").append(session.channels().size())
                .append('\n');
            for (TargetStatus.Channel channel : session.channels()) {
                text.append("channel ").append(channel.number()).append(' ').append(channel.state()).append(' ')
                    .append(fields(channel.statistics())).append('\n');
            }
        }
        text.append("sessions ").append(status.sessions().size()).append('\n');
        for (RdmaDevice device : devices) {
            device.counters().forEach(counter -> text.append("count ").append(device.name()).append(' ')
                .append(counter.name()).append(' ').append(counter.value()).append('\n'));
        }
        return text.append("memory ").append(memory()).append('\n').toString();
    }

    /** A record as {@code name=value} with spaces between. */
    private static String fields(ChannelStatistics statistics) {
        String text = statistics.toString();
        return text.substring(text.indexOf('[') + 1, text.lastIndexOf(']')).replace(", ", " ");
    }

    private static String memory() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .map(pool -> "outside-heap=" + pool.getMemoryUsed()).collect(Collectors.joining());
    }
}
