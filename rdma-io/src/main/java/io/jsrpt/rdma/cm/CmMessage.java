package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.mad.Mad;
import io.jsrpt.rdma.mad.MadHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The datagrams of the connection manager (IBTA volume 1, 12.6), decoded. Offsets in this package count from the end
 * of the MAD header, as the tables of the standard do. Private data always has its full length on the wire; what is
 * shorter is padded with zeros.
 */
sealed interface CmMessage {
    int CLASS_VERSION = 2;

    int REQ = 0x10;
    int MRA = 0x11;
    int REJ = 0x12;
    int REP = 0x13;
    int RTU = 0x14;
    int DREQ = 0x15;
    int DREP = 0x16;
    int SIDR_REQ = 0x17;
    int SIDR_REP = 0x18;
    int LAP = 0x19;
    int APR = 0x1a;

    /** The 64 bits of the MAD header that pair a message with its answers. */
    long transactionId();

    /** Message receipt acknowledged (12.6.6): the sender needs more time. */
    record Mra(long transactionId, int localCommId, int remoteCommId, int messageMraed, int serviceTimeout)
            implements CmMessage {
        /** {@link #messageMraed} of a REQ. */
        static final int OF_REQ = 0;

        /** {@link #messageMraed} of a REP. */
        static final int OF_REP = 1;

        byte[] encode() {
            ByteBuffer b = start(MRA, transactionId);
            putCommIds(b, localCommId, remoteCommId);
            b.put(at(8), (byte) (messageMraed << 6));
            b.put(at(9), (byte) (serviceTimeout << 3));
            return b.array();
        }
    }

    /** Ready to use (12.6.9). */
    record Rtu(long transactionId, int localCommId, int remoteCommId, byte[] privateData) implements CmMessage {
        static final int PRIVATE_DATA_SIZE = 224;

        byte[] encode() {
            ByteBuffer b = start(RTU, transactionId);
            putCommIds(b, localCommId, remoteCommId);
            b.put(at(8), privateData);
            return b.array();
        }
    }

    /** Request for communication release (12.6.10). */
    record Dreq(long transactionId, int localCommId, int remoteCommId, int remoteQpn) implements CmMessage {
        byte[] encode() {
            ByteBuffer b = start(DREQ, transactionId);
            putCommIds(b, localCommId, remoteCommId);
            b.putInt(at(8), remoteQpn << 8);
            return b.array();
        }
    }

    /** Reply to the request for communication release (12.6.11). */
    record Drep(long transactionId, int localCommId, int remoteCommId) implements CmMessage {
        byte[] encode() {
            ByteBuffer b = start(DREP, transactionId);
            putCommIds(b, localCommId, remoteCommId);
            return b.array();
        }
    }

    /**
     * Reject (12.6.7).
     *
     * @param messageRejected {@link #OF_REQ}, {@link #OF_REP} or {@link #OTHER}
     * @param additionalInfo what the reason calls for, at most 72 bytes, with its exact length
     */
    record Rej(
            long transactionId,
            int localCommId,
            int remoteCommId,
            int messageRejected,
            int reason,
            byte[] additionalInfo,
            byte[] privateData)
            implements CmMessage {
        static final int OF_REQ = 0;
        static final int OF_REP = 1;
        static final int OTHER = 2;
        static final int ADDITIONAL_INFO_SIZE = 72;
        static final int PRIVATE_DATA_SIZE = 148;

        byte[] encode() {
            ByteBuffer b = start(REJ, transactionId);
            putCommIds(b, localCommId, remoteCommId);
            b.put(at(8), (byte) (messageRejected << 6));
            b.put(at(9), (byte) (additionalInfo.length << 1));
            b.putShort(at(10), (short) reason);
            b.put(at(12), additionalInfo);
            b.put(at(84), privateData);
            return b.array();
        }
    }

    /** A request for communication; see {@link CmRequest}. */
    record Req(long transactionId, CmRequest request) implements CmMessage {
        byte[] encode() {
            ByteBuffer b = start(REQ, transactionId);
            request.encode(b);
            return b.array();
        }
    }

    /** A reply to a request for communication; see {@link CmReply}. */
    record Rep(long transactionId, CmReply reply) implements CmMessage {
        byte[] encode() {
            ByteBuffer b = start(REP, transactionId);
            reply.encode(b);
            return b.array();
        }
    }

    /** Service id resolution request (12.11), of which only what an answer needs. */
    record SidrReq(long transactionId, int requestId, long serviceId) implements CmMessage {
        /** The answer "service id not supported". */
        byte[] encodeUnsupported() {
            ByteBuffer b = start(SIDR_REP, transactionId);
            b.putInt(at(0), requestId);
            b.put(at(4), (byte) 1);
            b.putLong(at(12), serviceId);
            return b.array();
        }
    }

    /** Load alternate path (12.8), of which only what an answer needs. */
    record Lap(long transactionId, int localCommId, int remoteCommId) implements CmMessage {
        /** The answer (APR) "alternate path loading is not supported". */
        byte[] encodeUnsupported() {
            ByteBuffer b = start(APR, transactionId);
            putCommIds(b, remoteCommId, localCommId);
            b.put(at(9), (byte) 2);
            return b.array();
        }
    }

    /** A datagram that is well-formed and needs no answer: an APR or a SIDR_REP, for which nothing here asked. */
    record Ignored(long transactionId, int attributeId) implements CmMessage {}

    /** Bytes that are not a CM datagram, and why. */
    record Malformed(String reason) implements CmMessage {
        @Override
        public long transactionId() {
            return 0;
        }
    }

    /** Decodes a datagram; never throws for what the bytes are. The bytes are copied where they are kept. */
    static CmMessage decode(byte[] mad) {
        if (mad.length != Mad.SIZE) {
            return new Malformed("a MAD of " + mad.length + " bytes");
        }
        ByteBuffer b = ByteBuffer.wrap(mad);
        MadHeader h = MadHeader.decode(b);
        if (h.baseVersion() != Mad.BASE_VERSION) {
            return new Malformed("base version " + h.baseVersion());
        }
        if (h.managementClass() != Mad.CLASS_COMMUNICATION_MANAGEMENT) {
            return new Malformed("management class " + h.managementClass());
        }
        if (h.classVersion() != CLASS_VERSION) {
            return new Malformed("class version " + h.classVersion());
        }
        if (h.method() != Mad.METHOD_SEND) {
            return new Malformed("method " + h.method());
        }
        long tid = h.transactionId();
        int local = b.getInt(at(0));
        int remote = b.getInt(at(4));
        return switch (h.attributeId()) {
            case REQ -> new Req(tid, CmRequest.decode(b));
            case REP -> new Rep(tid, CmReply.decode(b));
            case MRA -> new Mra(tid, local, remote, (b.get(at(8)) & 0xff) >>> 6, (b.get(at(9)) & 0xff) >>> 3);
            case REJ -> decodeRej(tid, b);
            case RTU -> new Rtu(tid, local, remote, bytes(b, 8, Rtu.PRIVATE_DATA_SIZE));
            case DREQ -> new Dreq(tid, local, remote, b.getInt(at(8)) >>> 8);
            case DREP -> new Drep(tid, local, remote);
            case SIDR_REQ -> new SidrReq(tid, local, b.getLong(at(8)));
            case LAP -> new Lap(tid, local, remote);
            case SIDR_REP, APR -> new Ignored(tid, h.attributeId());
            default -> new Malformed("attribute " + h.attributeId());
        };
    }

    private static CmMessage decodeRej(long tid, ByteBuffer b) {
        int infoLength = (b.get(at(9)) & 0xff) >>> 1;
        if (infoLength > Rej.ADDITIONAL_INFO_SIZE) {
            return new Malformed("additional reject information of " + infoLength + " bytes");
        }
        return new Rej(
                tid,
                b.getInt(at(0)),
                b.getInt(at(4)),
                (b.get(at(8)) & 0xff) >>> 6,
                b.getShort(at(10)) & 0xffff,
                bytes(b, 12, infoLength),
                bytes(b, 84, Rej.PRIVATE_DATA_SIZE));
    }

    /** An empty datagram with its header. */
    static ByteBuffer start(int attributeId, long transactionId) {
        ByteBuffer b = ByteBuffer.allocate(Mad.SIZE);
        new MadHeader(
                        Mad.BASE_VERSION,
                        Mad.CLASS_COMMUNICATION_MANAGEMENT,
                        CLASS_VERSION,
                        Mad.METHOD_SEND,
                        0,
                        0,
                        transactionId,
                        attributeId,
                        0)
                .encode(b);
        return b;
    }

    /** The place in the MAD of an offset of the standard's tables. */
    static int at(int offset) {
        return Mad.HEADER_SIZE + offset;
    }

    /** A copy of part of the attribute. */
    static byte[] bytes(ByteBuffer b, int offset, int length) {
        return Arrays.copyOfRange(b.array(), at(offset), at(offset) + length);
    }

    private static void putCommIds(ByteBuffer b, int local, int remote) {
        b.putInt(at(0), local);
        b.putInt(at(4), remote);
    }
}
