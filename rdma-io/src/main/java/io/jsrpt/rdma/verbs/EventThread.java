package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that waits for one of the libraries' file descriptors and fetches what is there. */
final class EventThread {
    private static final Logger LOG = LoggerFactory.getLogger(EventThread.class);

    /** {@code struct pollfd}. */
    private static final long POLLFD = 8;

    private static final long EVENTS = 4;
    private static final long REVENTS = 6;

    private final String name;
    private final int descriptor;
    private final Runnable fetch;
    private final int wakeup;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private final Gate signalling = new Gate();
    private volatile boolean stopping;

    /**
     * Starts it.
     *
     * @param descriptor what to wait for; made non-blocking
     * @param fetch called when the descriptor is readable; takes everything that is there
     */
    EventThread(String name, int descriptor, Runnable fetch) throws RdmaException {
        this.name = name;
        this.descriptor = descriptor;
        this.fetch = fetch;
        Libc.nonBlocking(descriptor);
        wakeup = Libc.eventfd();
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Has this thread run something soon; nothing happens once it is stopped. */
    void execute(Runnable command) {
        commands.add(command);
        signal();
    }

    /** Stops the thread and waits until it has ended; it must not be called by that thread. Idempotent. */
    void stop() {
        stopping = true;
        signal();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (signalling.close()) {
            Libc.close(wakeup);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void signal() {
        if (signalling.enter()) {
            try (Arena arena = Arena.ofConfined()) {
                Libc.write(wakeup, arena.allocateFrom(ValueLayout.JAVA_LONG, 1));
            } finally {
                signalling.leave();
            }
        }
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fds = arena.allocate(2 * POLLFD, 8);
            fds.set(ValueLayout.JAVA_INT, 0, descriptor);
            fds.set(ValueLayout.JAVA_SHORT, EVENTS, Libc.POLLIN);
            fds.set(ValueLayout.JAVA_INT, POLLFD, wakeup);
            fds.set(ValueLayout.JAVA_SHORT, POLLFD + EVENTS, Libc.POLLIN);
            MemorySegment count = arena.allocate(8, 8);
            while (!stopping) {
                int ready = Libc.poll(fds, 2);
                if (ready < 0 && ready != -Errno.EINTR) {
                    LOG.error("{} stops: poll: {}", name, Errno.text(-ready));
                    return;
                }
                if (fds.get(ValueLayout.JAVA_SHORT, POLLFD + REVENTS) != 0) {
                    Libc.read(wakeup, count);
                }
                turn(fds);
            }
        }
    }

    private void turn(MemorySegment fds) {
        Runnable command = commands.poll();
        while (command != null) {
            guarded(command);
            command = commands.poll();
        }
        short seen = fds.get(ValueLayout.JAVA_SHORT, REVENTS);
        if ((seen & Libc.POLLIN) != 0) {
            guarded(fetch);
        } else if (seen != 0) {
            // the kernel has disconnected the descriptor from its device: nothing comes any more
            LOG.warn("{}: the device is gone (poll reports {})", name, seen);
            fds.set(ValueLayout.JAVA_INT, 0, -1);
        }
    }

    /** A fault of one notification must not cost the others. */
    private void guarded(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            LOG.error("{} goes on after a fault", name, e);
        }
    }
}
