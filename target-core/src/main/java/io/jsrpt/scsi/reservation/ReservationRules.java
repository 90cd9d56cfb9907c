package io.jsrpt.scsi.reservation;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.nexus.TransportId;
import io.jsrpt.scsi.reservation.Reservations.Held;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a PERSISTENT RESERVE OUT makes of the reservations (SPC-4 5.12 and 6.14). Pure.
 *
 * @param before the reservations
 * @param nexus where the command came from
 * @param present the nexuses that are there, by which a TransportID is understood
 * @param relativePort the relative target port identifier of the only port
 */
public record ReservationRules(Reservations before, Nexus nexus, Collection<Nexus> present, int relativePort) {
    /** The most nexuses that may be registered. */
    public static final int MAX_REGISTRATIONS = 1024;

    private static final int KEY = 8;
    private static final int FLAGS = 20;
    private static final int TYPE = 2;

    /** The outcome of the request. */
    public Outcome apply(ReserveOut request) {
        return switch (request.action()) {
            case REGISTER -> register(request, false);
            case REGISTER_AND_IGNORE_EXISTING_KEY -> register(request, true);
            case REGISTER_AND_MOVE, RESERVE, RELEASE, CLEAR, PREEMPT, PREEMPT_AND_ABORT ->
                before.registered(nexus) && before.key(nexus) == request.key()
                    ? byRegistered(request) : refused(Refusal.CONFLICT);
        };
    }

    private Outcome byRegistered(ReserveOut request) {
        return switch (request.action()) {
            case RESERVE -> reserve(request);
            case RELEASE -> release(request);
            case CLEAR -> clear();
            case PREEMPT, PREEMPT_AND_ABORT -> preempt(request);
            case REGISTER_AND_MOVE -> move(request);
            case REGISTER, REGISTER_AND_IGNORE_EXISTING_KEY ->
                throw new IllegalArgumentException(request.action() + " is for those that are not registered too");
        };
    }

    /** SPC-4 5.12.7. */
    private Outcome register(ReserveOut request, boolean ignoreKey) {
        if (!ignoreKey && before.key(nexus) != request.key()) {
            return refused(Refusal.CONFLICT);
        }
        if (!request.others().isEmpty() && before.registered(nexus)) {
            return refused(Refusal.parameter(FLAGS, 3));
        }
        if (request.serviceActionKey() == 0) {
            return before.registered(nexus) ? unregister(request) : Outcome.Done.of(before);
        }
        Set<Nexus> added = new LinkedHashSet<>();
        added.add(nexus);
        for (TransportId other : request.others()) {
            List<Nexus> named = named(other);
            if (named.stream().anyMatch(before::registered)) {
                return refused(Refusal.parameter(FLAGS + 4, 7));
            }
            added.addAll(named);
        }
        Map<Nexus, Registration> registrations = new LinkedHashMap<>(before.registrations());
        Registration registration = new Registration(request.serviceActionKey(), request.allTargetPorts());
        added.forEach(one -> registrations.put(one, registration));
        if (registrations.size() > MAX_REGISTRATIONS) {
            return refused(Refusal.NO_ROOM);
        }
        return Outcome.Done.of(next(request.kept(), registrations, before.held()));
    }

    /** SPC-4 5.12.11.3: the holder's reservation goes with its registration, a common one with the last. */
    private Outcome unregister(ReserveOut request) {
        Map<Nexus, Registration> left = without(Set.of(nexus));
        Optional<Held> held = before.held();
        Map<Nexus, Notice> notices = Map.of();
        if (held.isPresent() && endsWith(held.get(), left)) {
            notices = held.get().type().admitsRegistrants() ? told(left, Notice.RESERVATIONS_RELEASED) : Map.of();
            held = Optional.empty();
        }
        return new Outcome.Done(next(request.kept(), left, held), notices, Set.of());
    }

    /** SPC-4 5.12.9. */
    private Outcome reserve(ReserveOut request) {
        Optional<ReservationType> type = type(request);
        if (type.isEmpty()) {
            return refused(wrongType(request));
        }
        if (before.held().isEmpty()) {
            return Outcome.Done.of(reserved(Optional.of(new Held(type.get(), nexus))));
        }
        boolean same = before.holds(nexus) && before.held().get().type() == type.get();
        return same ? Outcome.Done.of(before) : refused(Refusal.CONFLICT);
    }

    /** SPC-4 5.12.11.2. */
    private Outcome release(ReserveOut request) {
        if (!before.holds(nexus)) {
            return Outcome.Done.of(before);
        }
        ReservationType type = before.held().orElseThrow().type();
        if (request.scope() != 0 || request.type() != type.code()) {
            return refused(Refusal.INVALID_RELEASE);
        }
        Map<Nexus, Notice> notices = type.admitsRegistrants()
            ? told(without(Set.of(nexus)), Notice.RESERVATIONS_RELEASED) : Map.of();
        return new Outcome.Done(reserved(Optional.empty()), notices, Set.of());
    }

    /** SPC-4 5.12.11.6. */
    private Outcome clear() {
        return new Outcome.Done(next(before.kept(), Map.of(), Optional.empty()),
            told(without(Set.of(nexus)), Notice.RESERVATIONS_PREEMPTED), Set.of());
    }

    /** SPC-4 5.12.11.4 and 5.12.11.5: the nexus takes the reservation, or only removes registrations. */
    private Outcome preempt(ReserveOut request) {
        boolean common = before.held().filter(held -> held.type().heldByAll()).isPresent();
        if (request.serviceActionKey() == 0) {
            return common ? take(request, allButThis()) : refused(Refusal.parameter(KEY, 7));
        }
        Set<Nexus> victims = new LinkedHashSet<>();
        before.registrations().forEach((other, registration) -> {
            if (registration.key() == request.serviceActionKey()) {
                victims.add(other);
            }
        });
        if (!common && before.held().filter(held -> victims.contains(held.holder())).isPresent()) {
            victims.remove(nexus);
            return take(request, victims);
        }
        return victims.isEmpty() ? refused(Refusal.CONFLICT) : remove(victims);
    }

    private Outcome take(ReserveOut request, Set<Nexus> victims) {
        Optional<ReservationType> type = type(request);
        if (type.isEmpty()) {
            return refused(wrongType(request));
        }
        Map<Nexus, Registration> left = without(victims);
        Map<Nexus, Notice> notices = new LinkedHashMap<>();
        if (before.held().orElseThrow().type() != type.get()) {
            notices.putAll(told(left, Notice.RESERVATIONS_RELEASED));
        }
        victims.forEach(victim -> notices.put(victim, Notice.REGISTRATIONS_PREEMPTED));
        notices.remove(nexus);
        return new Outcome.Done(
            next(before.kept(), left, Optional.of(new Held(type.get(), nexus))), notices, victims);
    }

    private Outcome remove(Set<Nexus> victims) {
        Map<Nexus, Registration> left = without(victims);
        Map<Nexus, Notice> notices = new LinkedHashMap<>();
        victims.forEach(victim -> notices.put(victim, Notice.REGISTRATIONS_PREEMPTED));
        notices.remove(nexus);
        Optional<Held> held = before.held().filter(h -> !endsWith(h, left));
        return new Outcome.Done(next(before.kept(), left, held), notices, victims);
    }

    /** SPC-4 5.12.8. */
    private Outcome move(ReserveOut request) {
        if (before.held().isEmpty()) {
            return refused(Refusal.cdb(1, 4));
        }
        Held held = before.held().get();
        if (held.type().heldByAll() || !held.holder().equals(nexus)) {
            return refused(Refusal.CONFLICT);
        }
        if (request.serviceActionKey() == 0) {
            return refused(Refusal.parameter(KEY, 7));
        }
        if (request.relativePort() != relativePort) {
            return refused(Refusal.parameter(18, 7));
        }
        Nexus destination = named(request.others().getFirst()).getFirst();
        if (destination.samePorts(nexus)) {
            return refused(Refusal.parameter(FLAGS + 4, 7));
        }
        Map<Nexus, Registration> registrations =
            request.unregister() ? without(Set.of(nexus)) : new LinkedHashMap<>(before.registrations());
        registrations.put(destination, new Registration(request.serviceActionKey(), false));
        if (registrations.size() > MAX_REGISTRATIONS) {
            return refused(Refusal.NO_ROOM);
        }
        return Outcome.Done.of(
            next(request.kept(), registrations, Optional.of(new Held(held.type(), destination))));
    }

    /**
     * The nexuses that a TransportID names: those that are there; else the one that is registered; else one from an
     * address that will be known when it comes.
     */
    private List<Nexus> named(TransportId id) {
        Nexus unknown = new Nexus(id.high(), id.low(), nexus.targetHigh(), nexus.targetLow());
        List<Nexus> found = new ArrayList<>(present.stream().filter(unknown::samePorts).toList());
        if (found.isEmpty()) {
            before.registrations().keySet().stream().filter(unknown::samePorts).forEach(found::add);
        }
        return found.isEmpty() ? List.of(unknown) : found;
    }

    /** Whether a reservation cannot go on with only these registrations. */
    private static boolean endsWith(Held held, Map<Nexus, Registration> left) {
        return held.type().heldByAll() ? left.isEmpty() : !left.containsKey(held.holder());
    }

    private Set<Nexus> allButThis() {
        Set<Nexus> others = new LinkedHashSet<>(before.registrations().keySet());
        others.remove(nexus);
        return others;
    }

    private Map<Nexus, Registration> without(Set<Nexus> removed) {
        Map<Nexus, Registration> left = new LinkedHashMap<>(before.registrations());
        left.keySet().removeAll(removed);
        return left;
    }

    private static Map<Nexus, Notice> told(Map<Nexus, Registration> those, Notice notice) {
        Map<Nexus, Notice> notices = new LinkedHashMap<>();
        those.keySet().forEach(other -> notices.put(other, notice));
        return notices;
    }

    private static Optional<ReservationType> type(ReserveOut request) {
        return request.scope() == 0 ? ReservationType.of(request.type()) : Optional.empty();
    }

    private static Refusal wrongType(ReserveOut request) {
        return Refusal.cdb(TYPE, request.scope() != 0 ? 7 : 3);
    }

    /** With another generation, as all actions that change registrations make it (SPC-4 6.13.2). */
    private Reservations next(boolean kept, Map<Nexus, Registration> registrations, Optional<Held> held) {
        return new Reservations(before.generation() + 1, kept, registrations, held);
    }

    private Reservations reserved(Optional<Held> held) {
        return new Reservations(before.generation(), before.kept(), before.registrations(), held);
    }

    private static Outcome refused(Refusal refusal) {
        return new Outcome.Refused(refusal);
    }
}
