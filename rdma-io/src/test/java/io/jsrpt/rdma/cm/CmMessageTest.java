package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.cm.CmMessage.Drep;
import io.jsrpt.rdma.cm.CmMessage.Dreq;
import io.jsrpt.rdma.cm.CmMessage.Lap;
import io.jsrpt.rdma.cm.CmMessage.Malformed;
import io.jsrpt.rdma.cm.CmMessage.Mra;
import io.jsrpt.rdma.cm.CmMessage.Rej;
import io.jsrpt.rdma.cm.CmMessage.Rep;
import io.jsrpt.rdma.cm.CmMessage.Req;
import io.jsrpt.rdma.cm.CmMessage.Rtu;
import io.jsrpt.rdma.cm.CmMessage.SidrReq;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CmMessageTest {
    private static final long TID = 0x2_dceb_9a01L;

    private static byte[] encode(CmMessage m) {
        return switch (m) {
            case Req r -> r.encode();
            case Rep r -> r.encode();
            case Rtu r -> r.encode();
            case Mra r -> r.encode();
            case Rej r -> r.encode();
            case Dreq r -> r.encode();
            case Drep r -> r.encode();
            default -> throw new AssertionError(m);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "req-channel-0",
                "req-channel-1",
                "req-wrong-guid",
                "rep-channel-0",
                "rep-channel-1",
                "rtu-channel-0",
                "rtu-channel-1",
                "rej-wrong-guid",
                "dreq",
                "drep"
            })
    void capturedDatagramComesBackByteForByte(String name) {
        byte[] mad = Captured.mad(name);
        assertArrayEquals(mad, encode(CmMessage.decode(mad)));
    }

    @Test
    void capturedReqIsDecoded() {
        Req req = assertInstanceOf(Req.class, CmMessage.decode(Captured.mad("req-channel-0")));
        assertEquals(TID, req.transactionId());
        CmRequest r = req.request();
        assertEquals(0x019a_ebdc, r.localCommId());
        assertEquals(ServiceId.rdmaTcp(0x15b3).value(), r.serviceId());
        assertEquals(0x5054_00ff_fe77_0002L, r.localCaGuid());
        assertEquals(0x11, r.localQpn());
        assertEquals(4, r.responderResources());
        assertEquals(0, r.initiatorDepth());
        assertEquals(20, r.remoteResponseTimeout());
        assertEquals(CmRequest.RELIABLE_CONNECTED, r.transportServiceType());
        assertTrue(r.flowControl());
        assertEquals(0x3b_c088, r.startingPsn());
        assertEquals(20, r.localResponseTimeout());
        assertEquals(7, r.retryCount());
        assertEquals(0xffff, r.partitionKey());
        assertEquals(5, r.pathMtu());
        assertEquals(7, r.rnrRetryCount());
        assertEquals(15, r.maxCmRetries());
        assertFalse(r.sharedReceiveQueue());
        assertEquals(
                new CmRequest.Path(
                        0xffff, 0xffff, Captured.INITIATOR, Captured.TARGET, 0x5_61d3, 0, 0, 64, 0, false, 19),
                r.primary());
        assertEquals(CmRequest.Path.NONE, r.alternate());
        CmaHeader cma = CmaHeader.decode(r.privateData()).orElseThrow();
        assertEquals(new CmaHeader(4, 0xafe0, Captured.INITIATOR, Captured.TARGET), cma);
        byte[] login = CmaHeader.strip(r.privateData());
        assertEquals(56, login.length);
        assertEquals(
                "000000000000000000068000000020440000000000000000505400fffe770002505400fffe770003505400fffe77000300"
                        + "44000000000000",
                HexFormat.of().formatHex(login));
        assertArrayEquals(r.privateData(), cma.prepend(login));
    }

    @Test
    void capturedRepIsDecoded() {
        Rep rep = assertInstanceOf(Rep.class, CmMessage.decode(Captured.mad("rep-channel-0")));
        assertEquals(TID, rep.transactionId());
        CmReply r = rep.reply();
        assertEquals(0xd7e3_97be, r.localCommId());
        assertEquals(0x019a_ebdc, r.remoteCommId());
        assertEquals(0x11, r.localQpn());
        assertEquals(0x06_c063, r.startingPsn());
        assertEquals(4, r.responderResources());
        assertEquals(4, r.initiatorDepth());
        assertEquals(15, r.targetAckDelay());
        assertEquals(0, r.failoverAccepted());
        assertTrue(r.flowControl());
        assertEquals(7, r.rnrRetryCount());
        assertFalse(r.sharedReceiveQueue());
        assertEquals(0x5054_00ff_fe77_0003L, r.localCaGuid());
        assertEquals((byte) 0xc0, r.privateData()[0]);
        assertEquals(196, r.privateData().length);
    }

    @Test
    void capturedRejIsDecoded() {
        Rej rej = assertInstanceOf(Rej.class, CmMessage.decode(Captured.mad("rej-wrong-guid")));
        assertEquals(0, rej.localCommId());
        assertEquals(0x039a_ebdc, rej.remoteCommId());
        assertEquals(Rej.OF_REQ, rej.messageRejected());
        assertEquals(28, rej.reason());
        assertEquals(0, rej.additionalInfo().length);
        assertEquals((byte) 0xc2, rej.privateData()[0]);
        assertEquals(148, rej.privateData().length);
    }

    @Test
    void capturedDreqAndDrepAreDecoded() {
        assertEquals(
                new Dreq(TID, 0x019a_ebdc, 0xd7e3_97be, 0x11), CmMessage.decode(Captured.mad("dreq")));
        assertEquals(new Drep(TID, 0xd7e3_97be, 0x019a_ebdc), CmMessage.decode(Captured.mad("drep")));
    }

    @Test
    void everyFieldOfAReqHasItsOwnBits() {
        byte[] data = new byte[92];
        Arrays.fill(data, (byte) 0xa5);
        CmRequest.Path path = new CmRequest.Path(
                0x1234, 0x5678, Captured.TARGET, Captured.INITIATOR, 0xf_fffe, 0x2a, 0x81, 0x7f, 9, true, 31);
        CmRequest r = new CmRequest(
                0x8000_0001,
                0x8000_0000_0000_0002L,
                -3,
                0x8001_0000,
                0xff_fffe,
                255,
                0xab_cdef,
                254,
                0xfe_dcba,
                31,
                2,
                false,
                0x80_0001,
                30,
                5,
                0x7fff,
                9,
                true,
                6,
                10,
                true,
                5,
                path,
                path,
                data);
        Req back = assertInstanceOf(Req.class, CmMessage.decode(new Req(-9, r).encode()));
        assertEquals(-9, back.transactionId());
        assertEquals(r.toString().replaceAll("privateData=.*", ""), back.request().toString().replaceAll(
                "privateData=.*", ""));
        assertArrayEquals(data, back.request().privateData());
    }

    @Test
    void mraCarriesMessageAndTimeoutInTheUpperBits() {
        byte[] mad = new Mra(7, 1, 2, Mra.OF_REP, 21).encode();
        assertEquals(0x40, mad[24 + 8] & 0xff);
        assertEquals(21 << 3, mad[24 + 9] & 0xff);
        assertEquals(new Mra(7, 1, 2, Mra.OF_REP, 21), CmMessage.decode(mad));
    }

    @Test
    void rejCarriesAdditionalInformationWithItsLength() {
        byte[] info = {1, 2, 3, 4, 5, 6, 7, 8};
        Rej rej = assertInstanceOf(
                Rej.class, CmMessage.decode(new Rej(7, 1, 2, Rej.OTHER, 4, info, new byte[148]).encode()));
        assertArrayEquals(info, rej.additionalInfo());
        assertEquals(Rej.OTHER, rej.messageRejected());
    }

    @Test
    void rejWithMoreInformationThanThereIsRoomIsMalformed() {
        byte[] mad = Captured.mad("rej-wrong-guid");
        mad[24 + 9] = (byte) (73 << 1);
        assertInstanceOf(Malformed.class, CmMessage.decode(mad));
    }

    @ParameterizedTest
    @CsvSource({"0, base version", "1, management class", "2, class version", "3, method", "17, attribute"})
    void wrongHeaderIsMalformedAndSaysWhy(int offset, String reason) {
        byte[] mad = Captured.mad("rtu-channel-0");
        mad[offset] = 0x55;
        Malformed m = assertInstanceOf(Malformed.class, CmMessage.decode(mad));
        assertTrue(m.reason().startsWith(reason), m.reason());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 23, 24, 255, 257})
    void wrongLengthIsMalformed(int length) {
        assertInstanceOf(Malformed.class, CmMessage.decode(new byte[length]));
    }

    @Test
    void alternatePathsAndServiceResolutionAreAnsweredAsUnsupported() {
        byte[] lap = CmMessage.start(CmMessage.LAP, 5).putInt(24, 1).putInt(28, 2).array();
        byte[] apr = assertInstanceOf(Lap.class, CmMessage.decode(lap)).encodeUnsupported();
        assertEquals(CmMessage.APR, apr[17]);
        assertEquals(2, apr[24 + 3]);
        assertEquals(1, apr[24 + 7]);
        assertEquals(2, apr[24 + 9]);
        byte[] sidr = CmMessage.start(CmMessage.SIDR_REQ, 5).putInt(24, 9).putLong(32, 0x77).array();
        byte[] answer = assertInstanceOf(SidrReq.class, CmMessage.decode(sidr)).encodeUnsupported();
        assertEquals(CmMessage.SIDR_REP, answer[17]);
        assertEquals(9, answer[24 + 3]);
        assertEquals(1, answer[24 + 4]);
        assertEquals(0x77, answer[24 + 19]);
    }

    @Test
    void anyBytesDecodeToSomething() {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        byte[] mad = new byte[256];
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(mad);
            mad[0] = 1;
            mad[1] = 7;
            mad[2] = 2;
            mad[3] = 3;
            mad[16] = 0;
            mad[17] = (byte) (0x10 + random.nextInt(12));
            CmMessage.decode(mad);
        }
    }
}
