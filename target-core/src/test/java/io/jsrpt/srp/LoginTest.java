package io.jsrpt.srp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.srp.LoginReject.Reason;
import io.jsrpt.srp.LoginRequest.Form;
import io.jsrpt.srp.LoginResponse.MultichannelResult;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Login units against captured ones. */
class LoginTest {
    private static final long GUID = 0x5054_00ff_fe77_0003L;
    private static final PortId INITIATOR = new PortId(0xa4d_0002L, 0xa4d_0003L);
    private static final PortId TARGET = new PortId(GUID, GUID);

    @Test
    void decodesTheRequestsOfLinux() {
        LoginRequest first = LoginRequest.decode(Form.SHORT, Captured.bytes("login-request-channel-0")).orElseThrow();
        assertEquals(SrpOpcode.LOGIN_REQ, first.opcode());
        assertEquals(8260, first.requestedIuLength());
        assertEquals(BufferFormats.SUPPORTED, first.bufferFormats());
        assertEquals(LoginRequest.ACTION_SINGLE, first.multichannelAction());
        assertTrue(first.wantsImmediateData());
        assertEquals(68, first.immediateDataOffset());
        assertEquals(new PortId(0, 0x5054_00ff_fe77_0002L), first.initiator());
        assertEquals(TARGET, first.target());
        LoginRequest second = LoginRequest.decode(Form.SHORT, Captured.bytes("login-request-channel-1")).orElseThrow();
        assertEquals(LoginRequest.ACTION_MULTI, second.multichannelAction());
    }

    @Test
    void encodesARequestAsLinuxDoes() {
        for (String name : new String[] {"login-request-channel-0", "login-request-channel-1"}) {
            byte[] captured = Captured.bytes(name);
            assertArrayEquals(captured, LoginRequest.decode(Form.SHORT, captured).orElseThrow().encode(Form.SHORT));
        }
    }

    @Test
    void longFormKeepsEveryField() {
        LoginRequest request = new LoginRequest(
                0, 0x0123_4567_89ab_cdefL, 0xffff_ffffL, 6, 0xf1, 0xfffe, INITIATOR, TARGET);
        for (Form form : Form.values()) {
            byte[] bytes = request.encode(form);
            assertEquals(form.bytes(), bytes.length);
            assertEquals(Optional.of(request), LoginRequest.decode(form, bytes));
        }
    }

    @Test
    void shortPrivateDataIsNoRequest() {
        assertTrue(LoginRequest.decode(Form.LONG, new byte[63]).isEmpty());
        assertTrue(LoginRequest.decode(Form.SHORT, new byte[55]).isEmpty());
        assertTrue(LoginResponse.decode(new byte[LoginResponse.BYTES - 1]).isEmpty());
        assertTrue(LoginReject.decode(new byte[0]).isEmpty());
    }

    @Test
    void responseIsThatOfTheKernel() {
        byte[] captured = Captured.bytes("login-response-channel-1");
        LoginResponse response = LoginResponse.decode(captured).orElseThrow();
        assertEquals(
                new LoginResponse(128, 0, 8276, 8260, 6, MultichannelResult.MAINTAINED, true), response);
        assertArrayEquals(captured, response.encode());
        assertEquals(
                MultichannelResult.NO_CHANNEL,
                LoginResponse.decode(Captured.bytes("login-response-channel-0")).orElseThrow().result());
    }

    @Test
    void rejectIsThatOfTheKernel() {
        byte[] captured = Captured.bytes("login-reject-wrong-ioc-guid");
        assertArrayEquals(captured, LoginReject.of(Reason.UNABLE_TO_ASSOCIATE, 0).encode());
        assertEquals(Optional.of(Reason.UNABLE_TO_ASSOCIATE), LoginReject.decode(captured).orElseThrow().reason());
    }

    @Test
    void everyReasonHasItsCode() {
        long code = 0x0001_0000L;
        for (Reason reason : Reason.values()) {
            assertEquals(code, reason.code());
            LoginReject decoded = LoginReject.decode(LoginReject.of(reason, -1).encode()).orElseThrow();
            assertEquals(Optional.of(reason), decoded.reason());
            assertEquals(-1, decoded.tag());
            code++;
        }
        assertEquals(0x0001_0007L, code);
        assertTrue(new LoginReject(0, 0, 6).reason().isEmpty());
    }

    @Test
    void randomBytesNeverThrow() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(100)];
            random.nextBytes(bytes);
            for (Form form : Form.values()) {
                assertEquals(bytes.length >= form.bytes(), LoginRequest.decode(form, bytes).isPresent());
            }
            if (bytes.length > 0) {
                bytes[0] = (byte) SrpOpcode.LOGIN_RSP;
                assertEquals(bytes.length >= LoginResponse.BYTES, LoginResponse.decode(bytes).isPresent());
                bytes[0] = (byte) SrpOpcode.LOGIN_REJ;
                assertEquals(bytes.length >= LoginReject.BYTES, LoginReject.decode(bytes).isPresent());
            }
        }
    }

    @Test
    void portIdHasTheFormsOfLinux() {
        assertEquals(Optional.of(TARGET), PortId.parse("0x505400fffe770003505400fffe770003"));
        assertEquals(Optional.of(TARGET), PortId.parse(TARGET.toString()));
        assertEquals(Optional.of(new PortId(0, 0x1234)), PortId.parse("0X1234"));
        assertEquals(Optional.of(new PortId(0, 0xab)), PortId.parse("aB"));
        assertEquals(Optional.of(new PortId(1, 0)), PortId.parse("010000000000000000"));
        for (String bad : new String[] {"", "0x", "123", "0x123", "xy", "0x" + "00".repeat(17), "-1", " 12"}) {
            assertTrue(PortId.parse(bad).isEmpty(), bad);
        }
        assertEquals("5054:00ff:fe77:0003", TARGET.guid());
        assertEquals("0x505400fffe770003505400fffe770003", TARGET.toString());
    }
}
