package io.jsrpt.scsi;

import io.jsrpt.scsi.reservation.Outcome;
import io.jsrpt.scsi.reservation.Refusal;
import io.jsrpt.scsi.reservation.ReservationRules;
import io.jsrpt.scsi.reservation.ReserveOut;
import java.io.IOException;
import java.lang.foreign.ValueLayout;

/** PERSISTENT RESERVE OUT, SPC-4 6.14, by the unit's owner. */
record PersistentReserveOutCommand(ReserveOut.Action action) implements CommandHandler {
    private static final int APTPL_AT = 20;
    private static final int APTPL_OF_MOVE_AT = 17;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        long length = task.cdb.u32(5);
        if (length < ReserveOut.BASIC_BYTES || length > ReserveOut.MAX_BYTES) {
            return task.fail(SenseCondition.PARAMETER_LIST_LENGTH_ERROR);
        }
        return task.dataOut(length);
    }

    @Override
    public boolean byOwner() {
        return true;
    }

    @Override
    public void execute(ScsiTask task) {
        ReserveOut.Decoded decoded =
            ReserveOut.decode(action, task.cdb.u8(2), task.buffer().toArray(ValueLayout.JAVA_BYTE));
        switch (decoded) {
            case ReserveOut.Invalid invalid -> refuse(task, invalid.refusal());
            case ReserveOut.Valid valid -> task.unit.owner().run(() -> perform(task, valid.request()));
        }
    }

    private void perform(ScsiTask task, ReserveOut request) {
        LogicalUnit unit = task.unit;
        if (unit.state().reservedBy().isPresent()) {
            task.finishConflict();
            return;
        }
        if (request.kept() && !unit.reservationKeeper().keeps()) {
            int at = action == ReserveOut.Action.REGISTER_AND_MOVE ? APTPL_OF_MOVE_AT : APTPL_AT;
            task.finishInvalidParameter(at, 0);
            return;
        }
        ReservationRules rules = new ReservationRules(unit.state().reservations(), task.nexus(),
            unit.state().attentions().keySet(), unit.settings().relativeTargetPort());
        switch (rules.apply(request)) {
            case Outcome.Refused refused -> refuse(task, refused.refusal());
            case Outcome.Done done -> {
                try {
                    unit.change(done, action == ReserveOut.Action.PREEMPT_AND_ABORT, task::finish);
                } catch (IOException e) {
                    task.finishFailed(SenseCondition.INTERNAL_TARGET_FAILURE, e);
                }
            }
        }
    }

    private static void refuse(ScsiTask task, Refusal refusal) {
        switch (refusal.reason()) {
            case CONFLICT -> task.finishConflict();
            case CDB_FIELD -> task.finishInvalidField(refusal.field(), refusal.bit());
            case PARAMETER_FIELD -> task.finishInvalidParameter(refusal.field(), refusal.bit());
            case PARAMETER_LIST_LENGTH -> task.finishFailed(SenseCondition.PARAMETER_LIST_LENGTH_ERROR);
            case INVALID_RELEASE -> task.finishFailed(SenseCondition.INVALID_RELEASE_OF_PERSISTENT_RESERVATION);
            case NO_ROOM -> task.finishFailed(SenseCondition.INSUFFICIENT_REGISTRATION_RESOURCES);
        }
    }
}
