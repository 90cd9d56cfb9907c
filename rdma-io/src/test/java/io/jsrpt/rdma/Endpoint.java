package io.jsrpt.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One side of a test's connections: a device with a domain, a completion queue, memory and an event channel. */
public final class Endpoint implements AutoCloseable {
    /** How long anything may take before a test gives up. */
    public static final long PATIENCE_SECONDS = 20;

    private final RdmaDevice device;
    private final Arena arena = Arena.ofShared();
    private final Semaphore ready = new Semaphore(0);
    private final Semaphore events = new Semaphore(0);
    private final ProtectionDomain pd;
    private final CompletionQueue queue;
    private final MemorySegment memory;
    private final MemoryRegion region;
    private final CmEventChannel channel;
    private final WorkCompletion completion = new WorkCompletion();

    /** What a completion said. */
    public record Completed(long id, Status status, Opcode opcode, int bytes, int queuePair) {}

    public Endpoint(RdmaDevice device, int memoryBytes) throws RdmaException {
        this.device = device;
        pd = device.allocateProtectionDomain();
        queue = device.createCompletionQueue(4096, ready::release);
        memory = arena.allocate(memoryBytes, 4096);
        region = pd.register(memory, EnumSet.allOf(Access.class));
        channel = device.createEventChannel();
    }

    public RdmaDevice device() {
        return device;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public CompletionQueue queue() {
        return queue;
    }

    public MemorySegment memory() {
        return memory;
    }

    public MemoryRegion region() {
        return region;
    }

    public CmEventChannel channel() {
        return channel;
    }

    public Gid gid() {
        return device.ports().getFirst().gids().getFirst();
    }

    public long at(long offset) {
        return memory.address() + offset;
    }

    public QueuePairSpec spec(int depth) {
        return new QueuePairSpec(pd, queue, queue, Optional.empty(), depth, depth);
    }

    /** Fills memory with bytes that depend on the seed. */
    public void fill(long offset, int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, length);
    }

    /** Compares with what {@link #fill} wrote elsewhere. */
    public void assertFilled(long offset, int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        MemorySegment want = MemorySegment.ofArray(bytes);
        assertEquals(-1, memory.asSlice(offset, length).mismatch(want), "first difference");
    }

    /** The next completion; waits as an owner does: poll, arm, poll, sleep. */
    public Completed await() {
        try {
            while (!queue.poll(completion)) {
                queue.arm();
                if (queue.poll(completion)) {
                    break;
                }
                if (!ready.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    fail("no completion came; counters: " + device.counters());
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new Completed(
            completion.workRequestId(),
            completion.status(),
            completion.opcode(),
            completion.byteLength(),
            completion.queuePairNumber());
    }

    /** The next completions, by id and status, as text. */
    public List<String> await(int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Completed c = await();
            all.add(c.id() + " " + c.status());
        }
        return all;
    }

    /** The next completion, which must have this id and have succeeded. */
    public Completed awaitSuccess(long id) {
        Completed c = await();
        assertEquals(id + " SUCCESS", c.id() + " " + c.status(), () -> "completion " + c);
        return c;
    }

    /** The next event, which must be of this type. */
    public <E extends CmEvent> E event(Class<E> type) {
        try {
            Optional<CmEvent> event = channel.poll();
            while (event.isEmpty()) {
                channel.arm(events::release);
                if (!events.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    fail("no event came, waited for " + type.getSimpleName());
                }
                event = channel.poll();
            }
            if (!type.isInstance(event.get())) {
                fail("waited for " + type.getSimpleName() + ", got " + event.get());
            }
            return type.cast(event.get());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A counter's value. */
    public long count(String name) {
        return device.counters().stream()
            .filter(c -> c.name().equals(name))
            .mapToLong(RdmaDevice.Counter::value)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no counter " + name));
    }

    @Override
    public void close() {
        channel.close();
        queue.close();
        region.close();
        pd.close();
        arena.close();
    }
}
