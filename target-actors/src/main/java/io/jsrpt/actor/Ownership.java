package io.jsrpt.actor;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The one right to use and to destroy a thing. It moves from hand to hand: giving it away empties the giver's handle,
 * and whoever uses an empty handle fails at once, in production as in tests.
 *
 * <p>A handle is used by its holder only. That two holders could race for one thing is a mistake which the handle turns
 * into an exception for one of them; it is not a means of sharing.
 */
final class Ownership<T> {
    private final AtomicReference<T> thing;

    private Ownership(T thing) {
        this.thing = new AtomicReference<>(thing);
    }

    /** The first handle of a thing that has no owner yet. */
    static <T> Ownership<T> of(T thing) {
        return new Ownership<>(thing);
    }

    /**
     * The thing, for one call; the caller does not keep it.
     *
     * @throws IllegalStateException when it was given away
     */
    T get() {
        return held(thing.get());
    }

    /**
     * Moves the thing to a new handle.
     *
     * @throws IllegalStateException when it was given away before
     */
    Ownership<T> transfer() {
        return new Ownership<>(take());
    }

    /**
     * Takes the thing out for its last use.
     *
     * @throws IllegalStateException when it was given away before
     */
    T take() {
        return held(thing.getAndSet(null));
    }

    /**
     * Offers the thing to someone who may decline, die or be late.
     *
     * @throws IllegalStateException when it was given away before
     */
    Offer<T> offer() {
        return new Offer<>(take());
    }

    private static <T> T held(T thing) {
        if (thing == null) {
            throw new IllegalStateException("used by a former owner");
        }
        return thing;
    }

    /**
     * A thing between two owners. Exactly one of {@link #accept} and {@link #withdraw} gets it, whichever is first; the
     * taker may put it back as long as it has told no one that it owns the thing. Used by giver and taker at once.
     */
    static final class Offer<T> {
        private final AtomicReference<T> thing;

        private Offer(T thing) {
            this.thing = new AtomicReference<>(thing);
        }

        /** By the taker: the thing, unless the giver has taken it back. */
        Optional<Ownership<T>> accept() {
            return hold(thing.getAndSet(null));
        }

        /** By the giver: the thing, unless the taker has it. */
        Optional<Ownership<T>> withdraw() {
            return hold(thing.getAndSet(null));
        }

        /**
         * By the taker: puts back what it accepted; ownership did not pass.
         *
         * @throws IllegalStateException when the handle is empty, or the offer is not
         */
        void giveBack(Ownership<T> accepted) {
            if (!thing.compareAndSet(null, accepted.take())) {
                throw new IllegalStateException("given back to an offer that is still open");
            }
        }

        private static <T> Optional<Ownership<T>> hold(T taken) {
            return Optional.ofNullable(taken).map(Ownership::new);
        }
    }
}
