package io.jsrpt.scsi;

import java.util.concurrent.atomic.AtomicBoolean;

/** A unit attention of one nexus that is to be told once, by whichever of the nexus's channels has a command first. */
final class PendingAttention {
    final UnitAttention attention;
    private final AtomicBoolean taken = new AtomicBoolean();

    PendingAttention(UnitAttention attention) {
        this.attention = attention;
    }

    /** Any thread: whether the caller is the one that tells it. */
    boolean take() {
        return !taken.getPlain() && taken.compareAndSet(false, true);
    }

    boolean isTaken() {
        return taken.get();
    }
}
