package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
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
 */
record UnitState(Map<Nexus, List<PendingAttention>> attentions, boolean attention) {
    static final UnitState INITIAL = new UnitState(Map.of(), false);

    /** A nexus is there. */
    UnitState with(Nexus nexus, UnitAttention... first) {
        Map<Nexus, List<PendingAttention>> changed = new LinkedHashMap<>(attentions);
        List<PendingAttention> list = new ArrayList<>();
        for (UnitAttention attention : first) {
            list.add(new PendingAttention(attention));
        }
        changed.put(nexus, List.copyOf(list));
        return of(changed);
    }

    /** A nexus is lost, and what it was to be told. */
    UnitState without(Nexus nexus) {
        Map<Nexus, List<PendingAttention>> changed = new LinkedHashMap<>(attentions);
        changed.remove(nexus);
        return of(changed);
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
        changed.replaceAll((_, pending) -> pending.stream().allMatch(PendingAttention::isTaken)
            ? List.of() : pending.stream().filter(p -> !p.isTaken()).toList());
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

    private static UnitState of(Map<Nexus, List<PendingAttention>> attentions) {
        return new UnitState(Map.copyOf(attentions), attentions.values().stream().anyMatch(list -> !list.isEmpty()));
    }
}
