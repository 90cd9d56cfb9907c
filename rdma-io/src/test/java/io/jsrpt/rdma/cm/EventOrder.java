package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Checks each id's events against the orders that {@link CmEngine} documents. */
final class EventOrder {
    private enum Phase {
        NEW,
        REQUESTED,
        UP,
        DOWN,
        OVER
    }

    private final Map<CmId, Phase> phases = new HashMap<>();
    private final Set<CmId> silent = new HashSet<>();

    /** The id's owner has destroyed or rejected it: nothing may follow. */
    void silence(CmId id) {
        silent.add(id);
    }

    boolean isUp(CmId id) {
        return phases.get(id) == Phase.UP;
    }

    void check(CmEvent event) {
        Phase from = phases.getOrDefault(event.id(), Phase.NEW);
        if (silent.contains(event.id())) {
            throw new AssertionError(event + " after the owner let go");
        }
        phases.put(event.id(), next(from, event));
    }

    private static Phase next(Phase from, CmEvent event) {
        boolean setup = from == Phase.NEW || from == Phase.REQUESTED;
        return switch (event) {
            case CmEvent.ConnectRequest e when from == Phase.NEW -> Phase.REQUESTED;
            case CmEvent.Established e when setup -> Phase.UP;
            case CmEvent.Rejected e when setup -> Phase.OVER;
            case CmEvent.Unreachable e when setup -> Phase.OVER;
            case CmEvent.ConnectError e when setup -> Phase.OVER;
            case CmEvent.Disconnected e when from == Phase.UP || from == Phase.REQUESTED -> Phase.DOWN;
            case CmEvent.TimewaitExit e when from == Phase.DOWN -> Phase.OVER;
            default -> throw new AssertionError(event + " in phase " + from);
        };
    }
}
