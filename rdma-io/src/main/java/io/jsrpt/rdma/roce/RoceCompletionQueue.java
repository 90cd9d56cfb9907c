package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A completion queue: a ring filled by the network thread and emptied by its owner. */
final class RoceCompletionQueue implements CompletionQueue, Completions {
    private static final Status[] STATUSES = Status.values();
    private static final Opcode[] OPCODES = Opcode.values();

    private final NetworkThread network;
    private final Runnable notification;
    private final int capacity;
    private final int mask;
    private final long[] ids;
    private final int[] lengths;
    private final int[] numbers;
    private final byte[] statuses;
    private final byte[] opcodes;
    private final AtomicBoolean armed = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicLong tail = new AtomicLong();
    private final AtomicLong head = new AtomicLong();
    /** The network thread's: whether this queue got completions in this turn, and whether it overran. */
    private boolean touched;

    private boolean overrun;

    RoceCompletionQueue(NetworkThread network, int capacity, Runnable notification) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a completion queue needs a capacity, not " + capacity);
        }
        this.network = network;
        this.capacity = capacity;
        this.notification = notification;
        int slots = Rings.slots(capacity);
        mask = slots - 1;
        ids = new long[slots];
        lengths = new int[slots];
        numbers = new int[slots];
        statuses = new byte[slots];
        opcodes = new byte[slots];
    }

    NetworkThread network() {
        return network;
    }

    @Override
    public boolean poll(WorkCompletion into) {
        long at = head.getPlain();
        if (at == tail.get()) {
            return false;
        }
        int slot = (int) at & mask;
        into.set(ids[slot], STATUSES[statuses[slot]], OPCODES[opcodes[slot]], lengths[slot], numbers[slot]);
        head.setRelease(at + 1);
        return true;
    }

    @Override
    public void arm() {
        armed.set(true);
    }

    @Override
    public void add(long workRequestId, Status status, Opcode opcode, int byteLength, int queuePairNumber) {
        long at = tail.getPlain();
        if (overrun || at - head.getAcquire() >= capacity) {
            if (!overrun) {
                overrun = true;
                network.overran(this);
            }
            return;
        }
        int slot = (int) at & mask;
        ids[slot] = workRequestId;
        statuses[slot] = (byte) status.ordinal();
        opcodes[slot] = (byte) opcode.ordinal();
        lengths[slot] = byteLength;
        numbers[slot] = queuePairNumber;
        tail.set(at + 1);
        if (!touched) {
            touched = true;
            network.completed(this);
        }
    }

    /** Called by the network thread at the end of a turn in which completions were added. */
    void endTurn() {
        touched = false;
        if (armed.get() && armed.getAndSet(false)) {
            notification.run();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            network.release("completion queue", () -> {
                armed.set(false);
                overrun = true;
                network.counters().add(Count.OPEN_COMPLETION_QUEUES, -1);
            });
        }
    }
}
