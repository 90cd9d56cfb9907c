package io.jsrpt.scsi.reservation;

import io.jsrpt.scsi.nexus.Nexus;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The registrations and the persistent reservation of a logical unit. Immutable.
 *
 * @param generation PRGENERATION, 32 bits
 * @param kept whether all of it outlives a loss of power (APTPL)
 * @param registrations by nexus, in the order of their coming
 * @param held the reservation, if there is one
 */
public record Reservations(int generation, boolean kept, Map<Nexus, Registration> registrations,
        Optional<Held> held) {
    /** Nothing is registered. */
    public static final Reservations NONE = new Reservations(0, false, Map.of(), Optional.empty());

    /**
     * A reservation of the whole unit, which is the only scope.
     *
     * @param holder the nexus that holds it; where all registered nexuses do, the one that established it
     */
    public record Held(ReservationType type, Nexus holder) {}

    public Reservations {
        registrations = Collections.unmodifiableMap(new LinkedHashMap<>(registrations));
    }

    /** Whether the nexus is registered. */
    public boolean registered(Nexus nexus) {
        return registrations.containsKey(nexus);
    }

    /** The nexus's reservation key; 0 when it is not registered. */
    public long key(Nexus nexus) {
        Registration registration = registrations.get(nexus);
        return registration == null ? 0 : registration.key();
    }

    /** Whether the nexus holds the reservation, alone or with others. */
    public boolean holds(Nexus nexus) {
        return held.filter(h -> h.type().heldByAll() ? registered(nexus) : h.holder().equals(nexus)).isPresent();
    }

    /** Whether commands of the nexus that read are allowed (SPC-4 table 66, SBC-3 table 13). */
    public boolean mayRead(Nexus nexus) {
        return held.isEmpty() || !held.get().type().excludesReaders() || sharesAccess(nexus);
    }

    /** Whether commands of the nexus that change something are allowed. */
    public boolean mayChange(Nexus nexus) {
        return held.isEmpty() || sharesAccess(nexus);
    }

    /** Whether there is a reservation that gives the nexus access. */
    public boolean sharesAccess(Nexus nexus) {
        return held.filter(h -> h.type().admitsRegistrants() ? registered(nexus) : h.holder().equals(nexus))
            .isPresent();
    }

    /**
     * A nexus is there that was not. A registration belongs to an initiator port, which may come from another address
     * than before, or whose address was not known: then it is the new nexus's from now on, unless another one with that
     * registration is there too.
     *
     * @param present the nexuses that are there
     */
    public Reservations arrived(Nexus nexus, Predicate<Nexus> present) {
        if (registered(nexus)) {
            return this;
        }
        return registrations.keySet().stream()
            .filter(other -> other.samePorts(nexus) && !present.test(other))
            .findFirst().map(other -> renamed(other, nexus)).orElse(this);
    }

    private Reservations renamed(Nexus from, Nexus to) {
        Map<Nexus, Registration> changed = new LinkedHashMap<>();
        registrations.forEach((nexus, registration) -> changed.put(nexus.equals(from) ? to : nexus, registration));
        return new Reservations(generation, kept, changed,
            held.map(h -> h.holder().equals(from) ? new Held(h.type(), to) : h));
    }
}
