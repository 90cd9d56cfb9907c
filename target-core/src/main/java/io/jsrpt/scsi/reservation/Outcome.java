package io.jsrpt.scsi.reservation;

import io.jsrpt.scsi.nexus.Nexus;
import java.util.Map;
import java.util.Set;

/** What comes of a PERSISTENT RESERVE OUT. */
public sealed interface Outcome {
    /**
     * It is done.
     *
     * @param after the new reservations, perhaps the old ones
     * @param notices who is to be told what
     * @param preempted the nexuses whose registrations another nexus's PREEMPT removed
     */
    record Done(Reservations after, Map<Nexus, Notice> notices, Set<Nexus> preempted) implements Outcome {
        public Done {
            notices = Map.copyOf(notices);
            preempted = Set.copyOf(preempted);
        }

        static Done of(Reservations after) {
            return new Done(after, Map.of(), Set.of());
        }
    }

    /** It is refused. */
    record Refused(Refusal refusal) implements Outcome {}
}
