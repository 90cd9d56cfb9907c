package io.jsrpt.actor;

import io.jsrpt.channel.AgreedLogin;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.DeviceAttributes;
import io.jsrpt.srp.LoginCheck;
import io.jsrpt.srp.LoginRequest;
import io.jsrpt.srp.LoginResponse;
import java.util.List;
import java.util.Optional;

/**
 * What a login asks for, and what this target grants it. Pure.
 *
 * @param request empty when the private data are no login
 */
record LoginTerms(ChannelActor.Port port, LoginAttempt attempt, Optional<LoginRequest> request) {
    /** RDMA READs outstanding at a time, either way, as in the kernel's target. */
    private static final int RDMA_READS = 4;

    private static final int RNR_RETRY_FOREVER = 7;

    static LoginTerms of(ChannelActor.Port port, LoginAttempt attempt) {
        return new LoginTerms(port, attempt, LoginRequest.decode(attempt.form(), attempt.privateData()));
    }

    /** What the target knows, but for the channels of the nexus. */
    LoginCheck.Circumstances circumstances() {
        LoginCheck.Circumstances c = port.circumstances();
        boolean allowed = request.map(r -> port.allowed().admits(r.initiator(), attempt.remote())).orElse(true);
        return new LoginCheck.Circumstances(c.enabled(), c.targetPort(), allowed, 0, c.limits());
    }

    /** Checks everything but what depends on the other channels of the nexus. */
    LoginCheck.Verdict check() {
        return LoginCheck.check(attempt.form(), attempt.privateData(), circumstances());
    }

    /** The names that an access rule may use for the initiator. */
    List<String> names() {
        return request.map(r -> AllowedInitiators.namesOf(r.initiator(), attempt.remote())).orElse(List.of());
    }

    /** What the data path must know. */
    AgreedLogin agreed(LoginCheck.Accepted accepted) {
        int flags = request.orElseThrow().flags();
        return new AgreedLogin(
                accepted.maxTargetToInitiatorLength(),
                accepted.immediateDataOffset(),
                (flags & LoginRequest.SOLICIT_LOGOUT) != 0,
                (flags & LoginRequest.SOLICIT_CREDIT) != 0);
    }

    /** What the connection manager agrees on. */
    ConnectionParameters parameters() {
        DeviceAttributes device = port.pd().device().attributes();
        return new ConnectionParameters(
                Math.min(RDMA_READS, device.maxResponderResources()),
                Math.min(RDMA_READS, device.maxInitiatorDepth()),
                attempt.parameters().retryCount(),
                RNR_RETRY_FOREVER,
                true,
                false);
    }

    /** The response with this many credits. */
    LoginResponse response(LoginCheck.Accepted accepted, int credits) {
        LoginResponse r = accepted.response();
        return new LoginResponse(
                credits,
                r.tag(),
                r.maxInitiatorToTargetLength(),
                r.maxTargetToInitiatorLength(),
                r.bufferFormats(),
                r.result(),
                r.immediateData());
    }
}
