package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;

/**
 * RESERVE (6) and (10), and RELEASE (6) and (10), of the whole unit (SPC-2 7.16 to 7.23), by the unit's owner. Where
 * there are persistent reservations, those who have access by one may use them to no effect (SPC-4 5.12.3).
 */
record ReserveCommand(boolean release) implements CommandHandler {
    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        return ScsiTask.Phase.NO_DATA;
    }

    @Override
    public boolean byOwner() {
        return true;
    }

    @Override
    public void execute(ScsiTask task) {
        task.unit.owner().run(() -> perform(task));
    }

    private void perform(ScsiTask task) {
        UnitState state = task.unit.state();
        Nexus nexus = task.nexus();
        if (!state.reservations().registrations().isEmpty()) {
            if (release || state.reservations().sharesAccess(nexus)) {
                task.finish();
            } else {
                task.finishConflict();
            }
        } else if (release) {
            if (state.reservedBy().filter(nexus::equals).isPresent()) {
                task.unit.release();
            }
            task.finish();
        } else if (state.reservedBy().filter(holder -> !holder.equals(nexus)).isPresent()) {
            task.finishConflict();
        } else {
            task.unit.reserve(nexus, task::finish);
        }
    }
}
