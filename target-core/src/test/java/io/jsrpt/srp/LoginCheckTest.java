package io.jsrpt.srp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.srp.LoginCheck.Accepted;
import io.jsrpt.srp.LoginCheck.Circumstances;
import io.jsrpt.srp.LoginCheck.Refused;
import io.jsrpt.srp.LoginCheck.Verdict;
import io.jsrpt.srp.LoginReject.Reason;
import io.jsrpt.srp.LoginRequest.Form;
import io.jsrpt.srp.LoginResponse.MultichannelResult;
import org.junit.jupiter.api.Test;

class LoginCheckTest {
    private static final PortId TARGET = new PortId(0x5054_00ff_fe77_0003L, 0x5054_00ff_fe77_0003L);
    private static final PortId INITIATOR = new PortId(1, 2);
    private static final LoginLimits LIMITS = new LoginLimits(8276, 256, 128, 3, true);
    private static final long TAG = 0x1122_3344_5566_7788L;

    private static LoginRequest request(long length, int formats, int flags, int offset) {
        return new LoginRequest(0, TAG, length, formats, flags, offset, INITIATOR, TARGET);
    }

    private static LoginRequest flags(int flags) {
        return request(8260, 6, flags, 68);
    }

    private static Circumstances circumstances(int channels) {
        return new Circumstances(true, TARGET, true, channels, LIMITS);
    }

    private static Accepted accepted(LoginRequest request, Circumstances target) {
        return assertInstanceOf(Accepted.class, LoginCheck.check(request, target));
    }

    private static void assertRefused(Reason reason, Verdict verdict) {
        Refused refused = assertInstanceOf(Refused.class, verdict);
        assertEquals(reason.code(), refused.reject().reasonCode(), refused.why());
        assertEquals(TAG, refused.reject().tag());
        assertFalse(refused.why().isEmpty());
    }

    @Test
    void acceptsTheLoginOfLinux() {
        Verdict verdict = LoginCheck.check(Form.SHORT, Captured.bytes("login-request-channel-0"), circumstances(0));
        Accepted accepted = assertInstanceOf(Accepted.class, verdict);
        assertEquals(
                new LoginResponse(128, 0, 8276, 256, 6, MultichannelResult.NO_CHANNEL, true), accepted.response());
        assertEquals(68, accepted.immediateDataOffset());
        assertFalse(accepted.terminateOthers());
    }

    @Test
    void refusesTheWrongIocGuidOfLinuxAsTheKernelDoes() {
        Verdict verdict =
                LoginCheck.check(Form.SHORT, Captured.bytes("login-request-wrong-ioc-guid"), circumstances(0));
        Refused refused = assertInstanceOf(Refused.class, verdict);
        assertEquals(LoginReject.decode(Captured.bytes("login-reject-wrong-ioc-guid")).orElseThrow(),
                refused.reject());
    }

    @Test
    void singleEndsOlderChannelsAndMultiKeepsThem() {
        Accepted single = accepted(flags(LoginRequest.ACTION_SINGLE), circumstances(2));
        assertTrue(single.terminateOthers());
        assertEquals(MultichannelResult.TERMINATED, single.response().result());
        Accepted multi = accepted(flags(LoginRequest.ACTION_MULTI), circumstances(2));
        assertFalse(multi.terminateOthers());
        assertEquals(MultichannelResult.MAINTAINED, multi.response().result());
        // Quirk of ib_srpt: MAINTAINED although there was no other channel.
        assertEquals(MultichannelResult.NO_CHANNEL,
                accepted(flags(LoginRequest.ACTION_MULTI), circumstances(0)).response().result());
    }

    @Test
    void malformedRequestIsRefused() {
        Refused refused = assertInstanceOf(
                Refused.class, LoginCheck.check(Form.LONG, new byte[63], circumstances(0)));
        assertEquals(Reason.UNABLE_TO_ESTABLISH.code(), refused.reject().reasonCode());
        LoginRequest wrongOpcode = new LoginRequest(2, TAG, 8260, 6, 0, 68, INITIATOR, TARGET);
        assertRefused(Reason.UNABLE_TO_ESTABLISH, LoginCheck.check(wrongOpcode, circumstances(0)));
    }

    @Test
    void lengthHasTwoLimits() {
        assertRefused(Reason.UNABLE_TO_ESTABLISH, LoginCheck.check(request(63, 6, 0, 0), circumstances(0)));
        accepted(request(64, 6, 0, 0), circumstances(0));
        accepted(request(8276, 6, 0, 0), circumstances(0));
        assertRefused(Reason.IU_LENGTH_TOO_LARGE, LoginCheck.check(request(8277, 6, 0, 0), circumstances(0)));
        assertRefused(Reason.IU_LENGTH_TOO_LARGE, LoginCheck.check(request(0xffff_ffffL, 6, 0, 0), circumstances(0)));
    }

    /** Report 16 (logins refused for the length that immediate data need): what the target announces is accepted. */
    @Test
    void whatTheTargetAnnouncesIsAccepted() {
        Accepted accepted = accepted(flags(0), circumstances(0));
        accepted(request(accepted.response().maxInitiatorToTargetLength(), 6, 0, 0), circumstances(0));
    }

    @Test
    void unknownFormatsAndActionsAreRefused() {
        assertRefused(Reason.UNSUPPORTED_BUFFER_FORMAT, LoginCheck.check(request(8260, 8, 0, 0), circumstances(0)));
        assertRefused(Reason.UNSUPPORTED_BUFFER_FORMAT, LoginCheck.check(request(8260, 7, 0, 0), circumstances(0)));
        assertRefused(Reason.MULTICHANNEL_UNSUPPORTED, LoginCheck.check(flags(2), circumstances(0)));
        assertRefused(Reason.MULTICHANNEL_UNSUPPORTED, LoginCheck.check(flags(3), circumstances(0)));
    }

    @Test
    void disabledPortAndForbiddenInitiatorAreRefused() {
        assertRefused(Reason.INSUFFICIENT_RESOURCES,
                LoginCheck.check(flags(0), new Circumstances(false, TARGET, true, 0, LIMITS)));
        assertRefused(Reason.CHANNEL_LIMIT,
                LoginCheck.check(flags(0), new Circumstances(true, TARGET, false, 0, LIMITS)));
    }

    @Test
    void otherTargetPortIsRefused() {
        Circumstances other = new Circumstances(true, new PortId(TARGET.high(), 7), true, 0, LIMITS);
        assertRefused(Reason.UNABLE_TO_ASSOCIATE, LoginCheck.check(flags(0), other));
    }

    /** Report 27 (connection refused without a word): the channel limit has its reason in the login reject. */
    @Test
    void channelLimitHoldsForEachNexus() {
        accepted(flags(LoginRequest.ACTION_MULTI), circumstances(2));
        assertRefused(Reason.CHANNEL_LIMIT, LoginCheck.check(flags(LoginRequest.ACTION_MULTI), circumstances(3)));
        accepted(flags(LoginRequest.ACTION_SINGLE), circumstances(3));
        Circumstances one = new Circumstances(true, TARGET, true, 1, new LoginLimits(8276, 256, 128, 1, true));
        assertRefused(Reason.MULTICHANNEL_UNSUPPORTED, LoginCheck.check(flags(LoginRequest.ACTION_MULTI), one));
        accepted(flags(LoginRequest.ACTION_SINGLE), one);
    }

    @Test
    void immediateDataOnlyAsAskedAndWithinAUnit() {
        int ask = LoginRequest.IMMEDIATE_DATA;
        assertTrue(accepted(request(8260, 6, ask, 48), circumstances(0)).response().immediateData());
        assertEquals(48, accepted(request(8260, 6, ask, 48), circumstances(0)).immediateDataOffset());
        assertFalse(accepted(request(8260, 6, ask, 47), circumstances(0)).response().immediateData());
        assertFalse(accepted(request(100, 6, ask, 100), circumstances(0)).response().immediateData());
        assertEquals(0, accepted(request(100, 6, ask, 100), circumstances(0)).immediateDataOffset());
        assertFalse(accepted(request(8260, 6, 0, 68), circumstances(0)).response().immediateData());
        Circumstances shared = new Circumstances(true, TARGET, true, 0, new LoginLimits(8276, 256, 128, 3, false));
        assertFalse(accepted(flags(ask), shared).response().immediateData());
    }

    @Test
    void unitsToTheInitiatorAreNoLongerThanItsOwn() {
        assertEquals(100, accepted(request(100, 6, 0, 0), circumstances(0)).maxTargetToInitiatorLength());
        assertEquals(256, accepted(request(8260, 6, 0, 0), circumstances(0)).maxTargetToInitiatorLength());
    }

    @Test
    void limitsThatCannotWorkAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new LoginLimits(63, 256, 2, 1, false));
        assertThrows(IllegalArgumentException.class, () -> new LoginLimits(64, 63, 2, 1, false));
        assertThrows(IllegalArgumentException.class, () -> new LoginLimits(64, 64, 1, 1, false));
        assertThrows(IllegalArgumentException.class, () -> new LoginLimits(64, 64, 2, 0, false));
    }
}
