package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.QpState;
import io.jsrpt.rdma.RdmaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of one bound address. It alone touches the socket, the tables of queue pairs and memory regions, the
 * connection manager and all timers. Others hand it queue pairs with new work ({@link #list}) and commands
 * ({@link #create}, {@link #release}, {@link #execute}), and wake it if it sleeps.
 *
 * <p>It works in turns: take a batch of packets, run commands, look at the queue pairs that this concerns, send what
 * they have to send, tell users what there is to fetch.
 */
final class NetworkThread {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkThread.class);
    private static final long NEVER = Long.MAX_VALUE;
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long COMMAND_SECONDS = 10;

    private final String name;
    private final PacketSocket socket;
    private final Counters counters = new Counters();
    private final Tuning tuning;
    private final MemoryTable memory = new MemoryTable();
    private final QpTable queuePairs = new QpTable(ThreadLocalRandom.current().nextInt());
    private final Gsi gsi;
    private final Management management;
    private final Thread thread;
    private final long receiveBase;
    private final long sendBase;

    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final AtomicReference<QpEngine> listed = new AtomicReference<>();

    private List<QpEngine> touched = new ArrayList<>();
    private List<QpEngine> again = new ArrayList<>();
    private final List<RoceCompletionQueue> completed = new ArrayList<>();
    private final List<RoceCompletionQueue> overruns = new ArrayList<>();
    private long deadline = NEVER;
    private volatile boolean stopping;
    private volatile boolean ended;

    /** Not running yet; the management gets the thread that it belongs to. */
    NetworkThread(String name, PacketSocket socket, Tuning tuning, Function<NetworkThread, Management> management) {
        this.name = name;
        this.socket = socket;
        this.tuning = tuning;
        receiveBase = socket.receiveMemory().address();
        sendBase = socket.sendMemory().address();
        gsi = new Gsi(this);
        this.management = management.apply(this);
        thread = Thread.ofPlatform().name("jsrpt-" + name).daemon(true).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    Counters counters() {
        return counters;
    }

    PacketSocket socket() {
        return socket;
    }

    Tuning tuning() {
        return tuning;
    }

    Gsi gsi() {
        return gsi;
    }

    /** The memory regions; for the network thread only, as is {@link #queuePairs}. */
    MemoryTable memory() {
        return memory;
    }

    QpTable queuePairs() {
        return queuePairs;
    }

    /** Whether the thread may access this memory. */
    boolean reaches(MemorySegment segment) {
        return segment.isAccessibleBy(thread);
    }

    /** Whether it runs; from any thread. */
    boolean running() {
        return !ended;
    }

    /** Puts a queue pair on the to-do list. From any thread, without a lock. */
    void list(QpEngine engine) {
        if (!engine.listed.getAndSet(true)) {
            QpEngine first = listed.get();
            engine.nextListed = first;
            while (!listed.compareAndSet(first, engine)) {
                first = listed.get();
                engine.nextListed = first;
            }
            socket.wakeup();
        }
    }

    /** Runs a command on the network thread some time soon; dropped when that has ended. From any thread. */
    void execute(Runnable command) {
        commands.add(command);
        socket.wakeup();
    }

    /**
     * Runs a command on the network thread and waits for its result. From any thread.
     *
     * @param what it makes, for the message of a failure
     */
    <T> T create(String what, Callable<T> command) throws RdmaException {
        FutureTask<T> task = new FutureTask<>(command);
        if (!run(what, task)) {
            throw new RdmaException("cannot make a " + what + ": " + name + " is closed");
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new RdmaException("cannot make a " + what + ": " + e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    /**
     * Runs a command that lets go of something, and returns when it has; at once when the thread has ended. From any
     * thread.
     *
     * @throws IllegalStateException when it did not run within ten seconds
     */
    void release(String what, Runnable command) {
        run(what, new FutureTask<>(command, null));
    }

    /** False when the thread has ended and the task did not run. */
    private boolean run(String what, FutureTask<?> task) {
        if (Thread.currentThread() == thread) {
            task.run();
            return true;
        }
        execute(task);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMMAND_SECONDS);
        while (true) {
            // whether it had ended is read first: a command that was accepted before the end has run
            boolean over = ended;
            try {
                task.get(over ? 0 : 50, TimeUnit.MILLISECONDS);
                return true;
            } catch (ExecutionException e) {
                return true;
            } catch (InterruptedException e) {
                throw interrupted(what, e);
            } catch (TimeoutException e) {
                if (over) {
                    return false;
                }
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException(
                        "the network thread of " + name + " did not serve a " + what + " in time", e);
                }
            }
        }
    }

    private static IllegalStateException interrupted(String what, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for a " + what, e);
    }

    /** Called by the network thread: a queue got a completion. */
    void completed(RoceCompletionQueue queue) {
        completed.add(queue);
    }

    /** Called by the network thread: a queue had no room for a completion. */
    void overran(RoceCompletionQueue queue) {
        counters.increment(Count.CQ_OVERRUNS);
        overruns.add(queue);
    }

    /** Called by the network thread: a queue pair is to be looked at in this turn. */
    void touch(QpEngine engine) {
        if (!engine.touched) {
            engine.touched = true;
            touched.add(engine);
        }
    }

    /** Called by the network thread: takes a queue pair out of service. */
    void remove(QpEngine engine) {
        if (queuePairs.remove(engine)) {
            engine.reset();
            counters.add(Count.OPEN_QUEUE_PAIRS, -1);
        }
    }

    /** Packets of a queue pair to its peer. Called by the network thread. */
    PacketOutput outputTo(Peer peer) {
        return new PacketOutput() {
            @Override
            public long reserve() {
                return NetworkThread.this.reserve();
            }

            @Override
            public void commit(int bytes) {
                socket.commit(peer, bytes + Bth.ICRC_BYTES);
            }
        };
    }

    /** Called by the network thread: a place for a packet. */
    long reserve() {
        try {
            return sendBase + socket.reserve();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the thread and waits for that. Idempotent. */
    void close() {
        stopping = true;
        socket.wakeup();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(COMMAND_SECONDS));
        } catch (InterruptedException e) {
            throw interrupted("network thread's end", e);
        }
    }

    private void run() {
        try {
            while (!stopping) {
                turn();
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.error("{}: the socket failed, the port is lost", name, e);
            management.onPortLost();
        } catch (RuntimeException | Error e) {
            LOG.error("{}: a fault in the network thread, the port is lost", name, e);
            management.onPortLost();
        } finally {
            end();
        }
    }

    private void end() {
        stopping = true;
        try {
            for (QpEngine engine : queuePairs.all()) {
                engine.toError();
            }
            management.close();
            socket.flush();
            notifyUsers();
            runCommands();
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("{}: could not tell the peers of the end: {}", name, e.getMessage());
        } finally {
            ended = true;
            socket.close();
        }
    }

    private void turn() throws IOException {
        int count = socket.receive(waitNanos());
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            onPacket(i, now);
        }
        runCommands();
        takeListed();
        runTimers(now);
        pump(now);
        failOverrun();
        socket.flush();
        notifyUsers();
    }

    private long waitNanos() {
        if (!touched.isEmpty()) {
            return 0;
        }
        long next = Math.min(deadline, management.deadline());
        if (next == NEVER) {
            return LONGEST_WAIT_NANOS;
        }
        return Math.min(Math.max(0, next - System.nanoTime()), LONGEST_WAIT_NANOS);
    }

    private void onPacket(int i, long now) {
        long at = receiveBase + socket.packetOffset(i);
        int length = socket.packetLength(i) - Bth.ICRC_BYTES;
        Peer source = socket.packetSource(i);
        int number = Bth.destination(at);
        if ((Bth.partition(at) | 0x8000) != Bth.DEFAULT_PARTITION) {
            counters.increment(Count.DROPPED_PARTITION);
        } else if (number == Gsi.QP1) {
            gsi.onPacket(at, length).ifPresent(mad ->
                guarded("a management datagram", () -> management.onMad(source.gid(), mad, now)));
        } else {
            QpEngine engine = queuePairs.find(number);
            if (engine == null) {
                counters.increment(Count.DROPPED_UNKNOWN_QUEUE_PAIR);
            } else if (engine.peer.isEmpty() || !engine.peer.get().equals(source)) {
                counters.increment(Count.DROPPED_WRONG_PEER);
            } else {
                onPacket(engine, at, length, now);
            }
        }
    }

    private void onPacket(QpEngine engine, long at, int length, long now) {
        try {
            engine.onPacket(at, length, now);
        } catch (UncheckedIOException e) {
            throw e;
        } catch (RuntimeException e) {
            fault(engine, e);
        }
        touch(engine);
    }

    private void fault(QpEngine engine, RuntimeException e) {
        counters.increment(Count.FAULTS);
        LOG.error("{}: a fault in queue pair {}, which goes to error", name, engine.number(), e);
        engine.requestError();
    }

    private void runCommands() {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            guarded("a command", command);
        }
    }

    /** Runs what concerns one connection at most: a fault in it must not cost the others the port. */
    private void guarded(String what, Runnable action) {
        try {
            action.run();
        } catch (UncheckedIOException e) {
            throw e;
        } catch (RuntimeException e) {
            counters.increment(Count.FAULTS);
            LOG.error("{}: {} failed", name, what, e);
        }
    }

    private void takeListed() {
        QpEngine engine = listed.get() == null ? null : listed.getAndSet(null);
        while (engine != null) {
            QpEngine following = engine.nextListed;
            engine.nextListed = null;
            engine.listed.set(false);
            touch(engine);
            engine = following;
        }
    }

    private void runTimers(long now) {
        if (deadline - now <= 0) {
            deadline = queuePairs.runTimers(now, engine -> {
                try {
                    engine.onTimer(now);
                } catch (RuntimeException e) {
                    fault(engine, e);
                }
                touch(engine);
            });
        }
        if (management.deadline() - now <= 0) {
            guarded("a connection's timer", () -> management.onTimer(now));
        }
    }

    private void pump(long now) {
        List<QpEngine> batch = touched;
        touched = again;
        again = batch;
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).touched = false;
        }
        for (int i = 0; i < batch.size(); i++) {
            QpEngine engine = batch.get(i);
            if (engine.state() == QpState.RESET) {
                continue;
            }
            boolean more = false;
            try {
                more = engine.pump(now);
            } catch (UncheckedIOException e) {
                throw e;
            } catch (RuntimeException e) {
                fault(engine, e);
                more = true;
            }
            if (more) {
                touch(engine);
            }
            deadline = Math.min(deadline, engine.deadline());
        }
        batch.clear();
    }

    private void failOverrun() {
        for (int i = 0; i < overruns.size(); i++) {
            RoceCompletionQueue queue = overruns.get(i);
            LOG.error("{}: a completion queue overran; its queue pairs go to error", name);
            for (QpEngine engine : queuePairs.all()) {
                if (engine.sendCompletions() == queue || engine.receiveCompletions() == queue) {
                    engine.toError();
                }
            }
        }
        overruns.clear();
    }

    private void notifyUsers() {
        for (int i = 0; i < completed.size(); i++) {
            try {
                completed.get(i).endTurn();
            } catch (RuntimeException e) {
                counters.increment(Count.FAULTS);
                LOG.error("{}: a completion queue's notification failed", name, e);
            }
        }
        completed.clear();
        management.endTurn();
    }

    /** The port's GID. */
    Gid gid() {
        return socket.local();
    }
}
