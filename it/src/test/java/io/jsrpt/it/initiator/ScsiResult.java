package io.jsrpt.it.initiator;

import io.jsrpt.srp.SrpResponse;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A response, copied.
 *
 * @param status SCSI status
 * @param sense sense data, empty when there are none
 * @param outResidual data-out residual, negative for an overflow
 * @param inResidual data-in residual, negative for an overflow
 * @param creditDelta the credits that came with it
 * @param taskManagementCode of a task management response, else -1
 */
public record ScsiResult(
        int status, byte[] sense, long outResidual, long inResidual, int creditDelta, int taskManagementCode) {
    static ScsiResult copy(MemorySegment memory, SrpResponse response) {
        byte[] sense = memory.asSlice(response.senseOffset(), response.senseLength()).toArray(ValueLayout.JAVA_BYTE);
        return new ScsiResult(response.status(), sense, response.dataOutResidual(), response.dataInResidual(),
                response.requestLimitDelta(), response.taskManagementCode());
    }

    /** Status GOOD. */
    public boolean good() {
        return status == 0;
    }

    /** The sense key of fixed or descriptor format sense data, or -1. */
    public int senseKey() {
        if (sense.length < 4) {
            return -1;
        }
        return descriptorFormat() ? sense[1] & 0x0f : sense[2] & 0x0f;
    }

    /** Additional sense code and qualifier, as one number, or -1. */
    public int additionalSense() {
        if (sense.length < (descriptorFormat() ? 4 : 14)) {
            return -1;
        }
        int at = descriptorFormat() ? 2 : 12;
        return (sense[at] & 0xff) << 8 | (sense[at + 1] & 0xff);
    }

    private boolean descriptorFormat() {
        return sense.length > 0 && (sense[0] & 0x7f) >= 0x72;
    }

    @Override
    public String toString() {
        return "status " + status + " sense " + senseKey() + "/" + Integer.toHexString(additionalSense())
                + " residual out " + outResidual + " in " + inResidual + " credits " + creditDelta
                + " tm " + taskManagementCode;
    }
}
