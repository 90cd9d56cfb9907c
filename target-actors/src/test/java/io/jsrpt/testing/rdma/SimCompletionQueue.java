package io.jsrpt.testing.rdma;

import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.WorkCompletion;
import java.util.ArrayDeque;

/** A completion queue. */
final class SimCompletionQueue implements CompletionQueue {
    private final SimDevice device;
    private final int capacity;
    private final Runnable notification;
    private final Ledger.Entry entry;
    private final ArrayDeque<Completion> completions = new ArrayDeque<>();
    private boolean armed;
    private int queuePairs;

    SimCompletionQueue(SimDevice device, int capacity, Runnable notification) {
        this.device = device;
        this.capacity = capacity;
        this.notification = notification;
        this.entry = device.ledger().opened("completion queue " + device.service().nextNumber());
    }

    private record Completion(
            long id, WorkCompletion.Status status, WorkCompletion.Opcode opcode, int bytes, int queuePair) {}

    void add(long id, WorkCompletion.Status status, WorkCompletion.Opcode opcode, int bytes, int queuePair) {
        if (completions.size() == capacity) {
            device.ledger().violation(entry.name() + ": overrun");
        }
        completions.add(new Completion(id, status, opcode, bytes, queuePair));
        if (armed) {
            armed = false;
            notification.run();
        }
    }

    void queuePairOpened() {
        queuePairs++;
    }

    void queuePairClosed() {
        queuePairs--;
    }

    @Override
    public boolean poll(WorkCompletion into) {
        synchronized (device.ledger()) {
            entry.used("poll");
            device.faults().crash("poll completions");
            Completion c = completions.poll();
            if (c == null) {
                return false;
            }
            into.set(c.id, c.status, c.opcode, c.bytes, c.queuePair);
            return true;
        }
    }

    @Override
    public void arm() {
        synchronized (device.ledger()) {
            entry.used("arm");
            armed = true;
        }
    }

    @Override
    public void close() {
        synchronized (device.ledger()) {
            armed = false;
            if (entry.destroyed(true) && queuePairs != 0) {
                device.ledger().violation(entry.name() + ": closed before its queue pairs");
            }
        }
    }
}
