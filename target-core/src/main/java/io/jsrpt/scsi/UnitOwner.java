package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
import java.util.function.Predicate;

/**
 * The one who changes what a unit's nexuses share: unit attentions, reservations, settings. Others hand it actions, and
 * read the state that it publishes.
 */
public interface UnitOwner {
    /** Who a unit belongs to that no target serves: whoever uses it, one thread at a time. */
    UnitOwner CALLER = new UnitOwner() {
        @Override
        public void run(Runnable action) {
            action.run();
        }

        @Override
        public void fence(Predicate<Nexus> nexuses, boolean abort, Runnable whenDone) {
            whenDone.run();
        }
    };

    /**
     * Runs the action: one at a time, in the order of the calls of each caller, within this call or later. Called from
     * any thread; must not block. An action may block for as long as a small file takes to get durable.
     */
    void run(Runnable action);

    /**
     * Makes sure that what was just published holds for commands that were checked before. Called from within an
     * action.
     *
     * @param nexuses whose commands it is about
     * @param abort whether commands that are under way end without an answer, except those that wait for this owner
     * @param whenDone run as an action, once no command of those nexuses that was checked against an older state can
     *     reach the store any more
     */
    void fence(Predicate<Nexus> nexuses, boolean abort, Runnable whenDone);
}
