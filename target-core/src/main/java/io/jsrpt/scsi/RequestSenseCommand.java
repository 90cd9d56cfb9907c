package io.jsrpt.scsi;

import java.util.Arrays;

/**
 * REQUEST SENSE, SPC-4 6.39. Sense data goes with the status of the command that it belongs to, so none is ever
 * waiting; what is left to say is a unit attention, which is told by that, or the state of the unit.
 */
record RequestSenseCommand() implements CommandHandler {
    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        SenseCondition state = switch (task.addressee) {
            case NOTHING -> SenseCondition.LOGICAL_UNIT_NOT_SUPPORTED;
            case WELL_KNOWN -> SenseCondition.NO_ADDITIONAL_SENSE;
            case UNIT -> task.takeAttention().map(attention -> attention.sense).orElseGet(() -> task.unit.stopped()
                ? SenseCondition.INITIALIZING_COMMAND_REQUIRED : SenseCondition.NO_ADDITIONAL_SENSE);
        };
        byte[] data = new byte[SenseData.MAX_LENGTH];
        int length = task.cdb.bit(1, 0)
            ? SenseData.descriptor(data, state, SenseData.NO_INFORMATION, SenseData.NO_SPECIFICS)
            : SenseData.fixed(data, state, SenseData.NO_INFORMATION, SenseData.NO_SPECIFICS);
        return task.respond(Arrays.copyOf(data, length), task.cdb.u8(4));
    }
}
