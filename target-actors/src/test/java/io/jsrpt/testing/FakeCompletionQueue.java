package io.jsrpt.testing;

import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;

/** A completion queue whose completions come when the test lets the fabric work. */
public final class FakeCompletionQueue implements CompletionQueue {
    private final FakeDevice device;
    private final int capacity;
    private final Runnable notification;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private boolean armed;
    private boolean closed;

    private record Entry(
            long workRequestId, WorkCompletion.Status status, WorkCompletion.Opcode opcode, int bytes, int number) {}

    FakeCompletionQueue(FakeDevice device, int capacity, Runnable notification) {
        this.device = device;
        this.capacity = capacity;
        this.notification = notification;
    }

    void add(long id, WorkCompletion.Status status, WorkCompletion.Opcode opcode, int bytes, int number) {
        if (entries.size() == capacity) {
            throw new AssertionError("the completion queue of " + capacity + " overruns");
        }
        entries.add(new Entry(id, status, opcode, bytes, number));
        if (armed) {
            armed = false;
            notification.run();
        }
    }

    @Override
    public boolean poll(WorkCompletion into) {
        check();
        if (entries.isEmpty()) {
            return false;
        }
        Entry entry = entries.remove();
        into.set(entry.workRequestId, entry.status, entry.opcode, entry.bytes, entry.number);
        return true;
    }

    @Override
    public void arm() {
        check();
        armed = true;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            device.closed("completion-queues");
        }
    }

    private void check() {
        if (closed) {
            throw new AssertionError("the completion queue was closed");
        }
    }
}
