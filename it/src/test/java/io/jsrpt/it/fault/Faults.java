package io.jsrpt.it.fault;

import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What goes wrong, and when. A test sets it from its own thread; the provider asks from any. */
public final class Faults {
    private static final long NEVER = Long.MAX_VALUE;

    /** Calls that can be made to fail. */
    public enum Call {
        ALLOCATE_PROTECTION_DOMAIN,
        REGISTER_MEMORY,
        CREATE_COMPLETION_QUEUE,
        CREATE_EVENT_CHANNEL,
        CREATE_QUEUE_PAIR,
        LISTEN,
        ACCEPT,
        REJECT,
        POST_RECEIVE,
        POST_SEND,
        POST_RDMA_READ,
        POST_RDMA_WRITE
    }

    private record Spoilt(WorkCompletion.Opcode opcode, WorkCompletion.Status status, AtomicInteger good) {}

    private final Map<Call, AtomicLong> goodCalls = new EnumMap<>(Call.class);
    private final AtomicReference<Optional<Spoilt>> spoilt = new AtomicReference<>(Optional.empty());
    private final Map<Integer, QueuePair> queuePairs = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<FaultyCompletionQueue> completionQueues = new CopyOnWriteArrayList<>();
    private final AtomicInteger injected = new AtomicInteger();
    private volatile boolean holding;

    /** Nothing goes wrong yet. */
    public Faults() {
        for (Call call : Call.values()) {
            goodCalls.put(call, new AtomicLong(NEVER));
        }
    }

    /** So many of these calls succeed; from then on all fail, until {@link #heal}. */
    public void failAfter(Call call, int good) {
        goodCalls.get(call).set(good);
    }

    /** So many completions of this kind pass; the next comes with this status, and the queue pair goes to error. */
    public void spoilCompletionAfter(int good, WorkCompletion.Opcode opcode, WorkCompletion.Status status) {
        spoilt.set(Optional.of(new Spoilt(opcode, status, new AtomicInteger(good))));
    }

    /** From now on no completion is given out, until {@link #releaseCompletions}. */
    public void holdCompletions() {
        holding = true;
    }

    /** Gives out what was held, and holds no more. */
    public void releaseCompletions() {
        holding = false;
        completionQueues.forEach(FaultyCompletionQueue::released);
    }

    /** Everything works again. */
    public void heal() {
        goodCalls.values().forEach(left -> left.set(NEVER));
        spoilt.set(Optional.empty());
        releaseCompletions();
    }

    /** How many calls and completions were made to fail. */
    public int injected() {
        return injected.get();
    }

    void check(Call call) throws RdmaException {
        long left = goodCalls.get(call).getAndUpdate(n -> n == NEVER || n == 0 ? n : n - 1);
        if (left == 0) {
            injected.incrementAndGet();
            throw new RdmaException("injected: " + call);
        }
    }

    boolean isHolding() {
        return holding;
    }

    /** Spoils a completion if it is its turn. */
    void pass(WorkCompletion completion) {
        Optional<Spoilt> plan = spoilt.get();
        if (plan.isEmpty() || plan.get().opcode() != completion.opcode()
                || completion.status() != WorkCompletion.Status.SUCCESS || plan.get().good().getAndDecrement() != 0) {
            return;
        }
        injected.incrementAndGet();
        int number = completion.queuePairNumber();
        completion.set(completion.workRequestId(), plan.get().status(), completion.opcode(), 0, number);
        Optional.ofNullable(queuePairs.get(number)).ifPresent(QueuePair::moveToError);
    }

    void opened(QueuePair queuePair) {
        queuePairs.put(queuePair.number(), queuePair);
    }

    void closed(QueuePair queuePair) {
        queuePairs.remove(queuePair.number(), queuePair);
    }

    void opened(FaultyCompletionQueue queue) {
        completionQueues.add(queue);
    }

    void closed(FaultyCompletionQueue queue) {
        completionQueues.remove(queue);
    }
}
