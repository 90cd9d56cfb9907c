package io.jsrpt.channel;

import io.jsrpt.srp.LoginCheck;
import io.jsrpt.srp.LoginLimits;
import io.jsrpt.srp.LoginRequest;
import io.jsrpt.srp.SrpCommand;

/**
 * What the login of a channel settled, as far as its data path depends on it.
 *
 * @param maxTargetToInitiatorBytes the longest unit that the initiator takes, at least
 *     {@link LoginLimits#MIN_IU_LENGTH}
 * @param immediateDataOffset where immediate data begin in an SRP_CMD; 0 when they were not granted
 * @param solicitLogout whether SRP_T_LOGOUT is sent with a solicited event (LOSOLNT)
 * @param solicitCredit whether SRP_CRED_REQ is sent with a solicited event (CRSOLNT)
 */
public record AgreedLogin(
        int maxTargetToInitiatorBytes, int immediateDataOffset, boolean solicitLogout, boolean solicitCredit) {
    public AgreedLogin {
        if (maxTargetToInitiatorBytes < LoginLimits.MIN_IU_LENGTH) {
            throw new IllegalArgumentException("no response fits into " + maxTargetToInitiatorBytes + " bytes");
        }
        if (immediateDataOffset != 0 && immediateDataOffset < SrpCommand.FIXED_BYTES) {
            throw new IllegalArgumentException("immediate data begin inside the SRP_CMD: " + immediateDataOffset);
        }
    }

    /** What an accepted login request settled. */
    public static AgreedLogin of(LoginRequest request, LoginCheck.Accepted accepted) {
        return new AgreedLogin(
                accepted.maxTargetToInitiatorLength(),
                accepted.immediateDataOffset(),
                (request.flags() & LoginRequest.SOLICIT_LOGOUT) != 0,
                (request.flags() & LoginRequest.SOLICIT_CREDIT) != 0);
    }
}
