package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * SRP_LOGIN_RSP (SRP r16a, table 11), private data of the CM reply.
 *
 * @param requestLimit the initial credits, in REQUEST LIMIT DELTA
 * @param tag that of the request
 * @param maxInitiatorToTargetLength the longest unit that the target takes
 * @param maxTargetToInitiatorLength the longest unit that the target sends
 * @param bufferFormats bits of {@link BufferFormats}
 * @param result what became of the nexus's other channels
 * @param immediateData whether immediate data were granted (SRP-2)
 */
public record LoginResponse(
        int requestLimit,
        long tag,
        long maxInitiatorToTargetLength,
        long maxTargetToInitiatorLength,
        int bufferFormats,
        MultichannelResult result,
        boolean immediateData) {
    /** Length of the unit. */
    public static final int BYTES = 52;

    private static final int IMMEDIATE_DATA = 0x80;

    /** What became of the other channels of the I_T nexus. */
    public enum MultichannelResult {
        /** There were none. */
        NO_CHANNEL,
        /** They were ended. */
        TERMINATED,
        /** They go on. */
        MAINTAINED,
        /** A code that the standard reserves. */
        RESERVED
    }

    /** Decodes private data; empty when it is not a whole SRP_LOGIN_RSP. */
    public static Optional<LoginResponse> decode(byte[] privateData) {
        if (privateData.length < BYTES || (privateData[0] & 0xff) != SrpOpcode.LOGIN_RSP) {
            return Optional.empty();
        }
        MemorySegment m = MemorySegment.ofArray(privateData);
        int flags = Wire.u8(m, 26);
        return Optional.of(new LoginResponse(
                Wire.i32(m, 4), Wire.i64(m, 8), Wire.u32(m, 16), Wire.u32(m, 20), Wire.u16(m, 24),
                MultichannelResult.values()[flags & LoginRequest.ACTION_MASK], (flags & IMMEDIATE_DATA) != 0));
    }

    /** The unit's bytes. */
    public byte[] encode() {
        byte[] bytes = new byte[BYTES];
        MemorySegment m = MemorySegment.ofArray(bytes);
        Wire.put8(m, 0, SrpOpcode.LOGIN_RSP);
        Wire.put32(m, 4, requestLimit);
        Wire.put64(m, 8, tag);
        Wire.put32(m, 16, maxInitiatorToTargetLength);
        Wire.put32(m, 20, maxTargetToInitiatorLength);
        Wire.put16(m, 24, bufferFormats);
        Wire.put8(m, 26, result.ordinal() | (immediateData ? IMMEDIATE_DATA : 0));
        return bytes;
    }
}
