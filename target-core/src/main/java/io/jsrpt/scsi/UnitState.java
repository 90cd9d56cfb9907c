package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.reservation.Reservations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the nexuses of a unit share, as published by the unit's owner: immutable, but that an attention can be taken.
 *
 * @param attentions what is to be told to each nexus that is there, in this order
 * @param attention whether there is anything to tell to anyone
 * @param reservations persistent reservations
 * @param reservedBy who has reserved the unit with RESERVE
 * @param version of the reservations of either kind: another one when they are others
 */
record UnitState(Map<Nexus, List<PendingAttention>> attentions, boolean attention, Reservations reservations,
        Optional<Nexus> reservedBy, long version) {
    static final UnitState INITIAL = new UnitState(Map.of(), false, Reservations.NONE, Optional.empty(), 0);

    private static final int REQUEST_SENSE = 0x03;
    private static final int INQUIRY = 0x12;
    private static final int RELEASE_6 = 0x17;
    private static final int READ_CAPACITY_10 = 0x25;
    private static final int LOG_SENSE = 0x4D;
    private static final int RELEASE_10 = 0x57;
    private static final int PERSISTENT_RESERVE_IN = 0x5E;
    private static final int PERSISTENT_RESERVE_OUT = 0x5F;
    private static final int REPORT_LUNS = 0xA0;

    /** Whether nothing stands in the way of any command of any nexus. */
    boolean quiet() {
        return !attention && reservations.held().isEmpty() && reservedBy.isEmpty();
    }

    /** Whether a command conflicts with a reservation (SPC-4 table 66, SBC-3 table 13, SPC-2 table 9). */
    boolean conflicts(Nexus nexus, Command command, Cdb cdb) {
        if (reservedBy.isPresent()) {
            return conflictsWithReserve(nexus, command.operationCode());
        }
        if (reservations.held().isEmpty() || command.handler().alwaysAllowed(cdb)) {
            return false;
        }
        return switch (command.access()) {
            case INFORM -> false;
            case READ -> !reservations.mayRead(nexus);
            case CHANGE, WRITE, READ_MODIFY_WRITE -> !reservations.mayChange(nexus);
        };
    }

    /** The two kinds of reservations do not mix: not even the holder gets at persistent ones. */
    private boolean conflictsWithReserve(Nexus nexus, int operationCode) {
        return switch (operationCode) {
            case PERSISTENT_RESERVE_IN, PERSISTENT_RESERVE_OUT -> true;
            case REQUEST_SENSE, INQUIRY, RELEASE_6, READ_CAPACITY_10, LOG_SENSE, RELEASE_10, REPORT_LUNS -> false;
            default -> !reservedBy.orElseThrow().equals(nexus);
        };
    }

    /** Whether commands of the nexus that read are allowed. */
    boolean mayRead(Nexus nexus) {
        return reservedBy.isPresent() ? reservedBy.get().equals(nexus) : reservations.mayRead(nexus);
    }

    /** Whether commands of the nexus that change something are allowed. */
    boolean mayChange(Nexus nexus) {
        return reservedBy.isPresent() ? reservedBy.get().equals(nexus) : reservations.mayChange(nexus);
    }

    /** A nexus is there. */
    UnitState with(Nexus nexus, UnitAttention... first) {
        Map<Nexus, List<PendingAttention>> changed = new LinkedHashMap<>(attentions);
        List<PendingAttention> list = new ArrayList<>();
        for (UnitAttention attention : first) {
            list.add(new PendingAttention(attention));
        }
        changed.put(nexus, List.copyOf(list));
        return of(changed).reserved(reservations.arrived(nexus, attentions::containsKey));
    }

    /** A nexus is lost, with what it was to be told and what it reserved with RESERVE. */
    UnitState without(Nexus nexus) {
        Map<Nexus, List<PendingAttention>> changed = new LinkedHashMap<>(attentions);
        changed.remove(nexus);
        UnitState left = of(changed);
        return reservedBy.filter(nexus::equals).isPresent() ? left.reservedBy(Optional.empty()) : left;
    }

    /** Other persistent reservations. */
    UnitState reserved(Reservations now) {
        return now.equals(reservations) ? this : new UnitState(attentions, attention, now, reservedBy, version + 1);
    }

    /** Another holder of RESERVE. */
    UnitState reservedBy(Optional<Nexus> now) {
        return now.equals(reservedBy) ? this : new UnitState(attentions, attention, reservations, now, version + 1);
    }

    /** An attention for some of the nexuses that are there. */
    UnitState establish(UnitAttention attention, Predicate<Nexus> nexuses) {
        Map<Nexus, List<PendingAttention>> changed = new LinkedHashMap<>(attentions);
        changed.replaceAll((nexus, pending) -> nexuses.test(nexus) ? added(pending, attention) : pending);
        return of(changed);
    }

    /** The same without what was told meanwhile. */
    UnitState pruned() {
        Map<Nexus, List<PendingAttention>> changed = new LinkedHashMap<>(attentions);
        changed.replaceAll((_, pending) -> pending.stream().filter(p -> !p.isTaken()).toList());
        return of(changed);
    }

    /** Any thread: takes what the nexus is to be told first, if there is something. */
    Optional<UnitAttention> take(Nexus nexus) {
        for (PendingAttention pending : attentions.getOrDefault(nexus, List.of())) {
            if (pending.take()) {
                return Optional.of(pending.attention);
            }
        }
        return Optional.empty();
    }

    /** Any thread: takes this attention from what the nexus is to be told; whether it was there. */
    boolean take(Nexus nexus, UnitAttention attention) {
        for (PendingAttention pending : attentions.getOrDefault(nexus, List.of())) {
            if (pending.attention == attention && pending.take()) {
                return true;
            }
        }
        return false;
    }

    private static List<PendingAttention> added(List<PendingAttention> pending, UnitAttention attention) {
        List<PendingAttention> list = new ArrayList<>();
        if (!attention.supersedes()) {
            list.addAll(pending);
        }
        list.removeIf(PendingAttention::isTaken);
        if (list.stream().noneMatch(p -> p.attention == attention)) {
            list.add(new PendingAttention(attention));
        }
        return List.copyOf(list);
    }

    private UnitState of(Map<Nexus, List<PendingAttention>> changed) {
        boolean any = changed.values().stream().anyMatch(list -> !list.isEmpty());
        return new UnitState(Map.copyOf(changed), any, reservations, reservedBy, version);
    }
}
