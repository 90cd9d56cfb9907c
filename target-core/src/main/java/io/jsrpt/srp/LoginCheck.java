package io.jsrpt.srp;

import io.jsrpt.srp.LoginReject.Reason;
import io.jsrpt.srp.LoginResponse.MultichannelResult;
import java.util.Optional;

/**
 * Decides about a login. Pure: what the target knows comes in, what it shall answer comes out. The order of the checks
 * is from what is malformed over what this target can do to what it allows.
 */
public final class LoginCheck {
    private LoginCheck() {}

    /** What to answer. */
    public sealed interface Verdict {}

    /**
     * The login is good; resources may still be found missing, then {@link #refuse} it.
     *
     * @param response what to send once the channel stands
     * @param terminateOthers whether the nexus's older channels must be ended first
     * @param maxTargetToInitiatorLength the longest unit to send on this channel, in bytes
     * @param immediateDataOffset where immediate data begin in a unit, 0 when they were not granted
     */
    public record Accepted(
            LoginResponse response,
            boolean terminateOthers,
            int maxTargetToInitiatorLength,
            int immediateDataOffset)
            implements Verdict {}

    /**
     * The login is refused.
     *
     * @param reject what to send
     * @param why one line for the log
     */
    public record Refused(LoginReject reject, String why) implements Verdict {}

    /**
     * What the target knows when the request comes.
     *
     * @param enabled whether the target port takes logins
     * @param targetPort the identifier of the target port: identifier extension and I/O controller GUID
     * @param initiatorAllowed whether the access rules admit the initiator
     * @param channelsOfNexus channels of the same I_T nexus that are not yet disconnected
     * @param limits what may be granted
     */
    public record Circumstances(
            boolean enabled,
            PortId targetPort,
            boolean initiatorAllowed,
            int channelsOfNexus,
            LoginLimits limits) {}

    /** Decodes and checks. */
    public static Verdict check(LoginRequest.Form form, byte[] privateData, Circumstances target) {
        Optional<LoginRequest> request = LoginRequest.decode(form, privateData);
        if (request.isEmpty()) {
            return refuse(Reason.UNABLE_TO_ESTABLISH, 0,
                    privateData.length + " bytes are no SRP_LOGIN_REQ, which has " + form.bytes());
        }
        return check(request.get(), target);
    }

    /** Checks a decoded request. */
    public static Verdict check(LoginRequest request, Circumstances target) {
        LoginLimits limits = target.limits();
        long length = request.requestedIuLength();
        int action = request.multichannelAction();
        if (request.opcode() != SrpOpcode.LOGIN_REQ) {
            return refuse(Reason.UNABLE_TO_ESTABLISH, request.tag(), "opcode " + request.opcode());
        }
        if (!target.enabled()) {
            return refuse(Reason.INSUFFICIENT_RESOURCES, request.tag(), "the target port is disabled");
        }
        // The standard has no reason for a length that is too small; "too large", which ib_srpt sends, misleads.
        if (length < LoginLimits.MIN_IU_LENGTH) {
            return refuse(Reason.UNABLE_TO_ESTABLISH, request.tag(),
                    "a unit length of " + length + " is below " + LoginLimits.MIN_IU_LENGTH);
        }
        if (length > limits.maxInitiatorToTargetLength()) {
            return refuse(Reason.IU_LENGTH_TOO_LARGE, request.tag(),
                    "a unit length of " + length + " is above " + limits.maxInitiatorToTargetLength());
        }
        if ((request.bufferFormats() & ~BufferFormats.SUPPORTED) != 0) {
            return refuse(Reason.UNSUPPORTED_BUFFER_FORMAT, request.tag(),
                    "buffer formats 0x" + Integer.toHexString(request.bufferFormats()));
        }
        if (action > LoginRequest.ACTION_MULTI) {
            return refuse(Reason.MULTICHANNEL_UNSUPPORTED, request.tag(), "multichannel action " + action);
        }
        if (!request.target().equals(target.targetPort())) {
            return refuse(Reason.UNABLE_TO_ASSOCIATE, request.tag(),
                    "target port " + request.target() + " is not " + target.targetPort());
        }
        return admit(request, target);
    }

    private static Verdict admit(LoginRequest request, Circumstances target) {
        LoginLimits limits = target.limits();
        boolean multi = request.multichannelAction() == LoginRequest.ACTION_MULTI;
        // As ib_srpt: such an initiator's limit is no channel at all. A wrong target port keeps a reason of its own.
        if (!target.initiatorAllowed()) {
            return refuse(Reason.CHANNEL_LIMIT, request.tag(), "initiator " + request.initiator() + " is not allowed");
        }
        boolean others = target.channelsOfNexus() > 0;
        if (multi && others && limits.maxChannels() == 1) {
            return refuse(Reason.MULTICHANNEL_UNSUPPORTED, request.tag(), "one channel for each nexus");
        }
        if (multi && target.channelsOfNexus() >= limits.maxChannels()) {
            return refuse(Reason.CHANNEL_LIMIT, request.tag(),
                    "initiator " + request.initiator() + " has " + target.channelsOfNexus() + " channels");
        }
        MultichannelResult result = MultichannelResult.NO_CHANNEL;
        if (others) {
            result = multi ? MultichannelResult.MAINTAINED : MultichannelResult.TERMINATED;
        }
        // Some initiators take the granted length as the size of the buffers that they had announced.
        int sendLength = (int) Math.min(request.requestedIuLength(), limits.maxTargetToInitiatorLength());
        boolean immediate = grantsImmediateData(request, limits);
        LoginResponse response = new LoginResponse(limits.requestLimit(), request.tag(),
                limits.maxInitiatorToTargetLength(), sendLength, BufferFormats.SUPPORTED, result, immediate);
        return new Accepted(response, others && !multi, sendLength, immediate ? request.immediateDataOffset() : 0);
    }

    private static boolean grantsImmediateData(LoginRequest request, LoginLimits limits) {
        return request.wantsImmediateData()
                && limits.immediateData()
                && request.immediateDataOffset() >= SrpCommand.FIXED_BYTES
                && request.immediateDataOffset() < request.requestedIuLength();
    }

    /** A refusal with this reason. */
    public static Refused refuse(Reason reason, long tag, String why) {
        return new Refused(LoginReject.of(reason, tag), why);
    }
}
