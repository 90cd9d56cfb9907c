package io.jsrpt.channel;

import java.util.Optional;

/** A first-in-first-out queue of I/O contexts, linked through them; a context is in at most one. Owner only. */
final class IoQueue {
    private IoContext head;
    private IoContext tail;

    boolean isEmpty() {
        return head == null;
    }

    /** The oldest; the queue must not be empty. */
    IoContext first() {
        return Optional.ofNullable(head).orElseThrow();
    }

    void add(IoContext context) {
        if (context.queue != null) {
            throw new IllegalStateException(context + " waits already");
        }
        context.queue = this;
        context.previous = tail;
        context.next = null;
        if (tail == null) {
            head = context;
        } else {
            tail.next = context;
        }
        tail = context;
    }

    void remove(IoContext context) {
        if (context.queue != this) {
            throw new IllegalStateException(context + " does not wait here");
        }
        if (context.previous == null) {
            head = context.next;
        } else {
            context.previous.next = context.next;
        }
        if (context.next == null) {
            tail = context.previous;
        } else {
            context.next.previous = context.previous;
        }
        context.queue = null;
        context.previous = null;
        context.next = null;
    }
}
