package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * SRP_LOGIN_REJ (SRP r16a, table 13), private data of a CM reject with the reason "consumer defined".
 *
 * @param reasonCode the reason as on the wire, 0 to 2^32-1; see {@link #reason}
 * @param tag that of the request
 * @param bufferFormats bits of {@link BufferFormats} that the target supports
 */
public record LoginReject(long reasonCode, long tag, int bufferFormats) {
    /** Length of the unit. */
    public static final int BYTES = 32;

    /** The reasons that the standard defines. */
    public enum Reason {
        /** Unable to establish RDMA channel, no reason specified. */
        UNABLE_TO_ESTABLISH(0x0001_0000L, "unable to establish RDMA channel"),
        /** Insufficient RDMA channel resources. */
        INSUFFICIENT_RESOURCES(0x0001_0001L, "insufficient RDMA channel resources"),
        /** Requested initiator to target IU length is too large. */
        IU_LENGTH_TOO_LARGE(0x0001_0002L, "requested initiator to target IU length is too large"),
        /** Unable to associate RDMA channel with specified I_T nexus. */
        UNABLE_TO_ASSOCIATE(0x0001_0003L, "unable to associate RDMA channel with specified I_T nexus"),
        /** Unsupported data buffer descriptor format. */
        UNSUPPORTED_BUFFER_FORMAT(0x0001_0004L, "unsupported data buffer descriptor format"),
        /** No target support for multiple RDMA channels per I_T nexus. */
        MULTICHANNEL_UNSUPPORTED(0x0001_0005L, "no target support for multiple RDMA channels per I_T nexus"),
        /** RDMA channel limit reached for this initiator. */
        CHANNEL_LIMIT(0x0001_0006L, "RDMA channel limit reached for this initiator");

        private final long code;
        private final String text;

        Reason(long code, String text) {
            this.code = code;
            this.text = text;
        }

        /** The code on the wire. */
        public long code() {
            return code;
        }

        /** The standard's words and the code, for a log. */
        @Override
        public String toString() {
            return text + " (0x" + HexFormat.of().toHexDigits((int) code) + ")";
        }
    }

    /** A reject by this target. */
    public static LoginReject of(Reason reason, long tag) {
        return new LoginReject(reason.code(), tag, BufferFormats.SUPPORTED);
    }

    /** The reason, unless it is one that the standard does not define. */
    public Optional<Reason> reason() {
        return Arrays.stream(Reason.values()).filter(r -> r.code == reasonCode).findFirst();
    }

    /** Decodes private data; empty when it is not a whole SRP_LOGIN_REJ. */
    public static Optional<LoginReject> decode(byte[] privateData) {
        if (privateData.length < BYTES || (privateData[0] & 0xff) != SrpOpcode.LOGIN_REJ) {
            return Optional.empty();
        }
        MemorySegment m = MemorySegment.ofArray(privateData);
        return Optional.of(new LoginReject(Wire.u32(m, 4), Wire.i64(m, 8), Wire.u16(m, 24)));
    }

    /** The unit's bytes. */
    public byte[] encode() {
        byte[] bytes = new byte[BYTES];
        MemorySegment m = MemorySegment.ofArray(bytes);
        Wire.put8(m, 0, SrpOpcode.LOGIN_REJ);
        Wire.put32(m, 4, reasonCode);
        Wire.put64(m, 8, tag);
        Wire.put16(m, 24, bufferFormats);
        return bytes;
    }
}
