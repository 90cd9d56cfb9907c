package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * SRP_LOGIN_REQ (SRP r16a, table 9). As decoded it is not yet checked, see {@link LoginCheck}.
 *
 * @param opcode must be {@link SrpOpcode#LOGIN_REQ}
 * @param tag echoed by the answer
 * @param requestedIuLength the longest unit that the initiator will send, 0 to 2^32-1 bytes
 * @param bufferFormats bits of {@link BufferFormats}
 * @param flags multichannel action, wishes for solicited notification, wish for immediate data
 * @param immediateDataOffset where immediate data begin in a unit, if asked for
 * @param initiator the initiator port identifier
 * @param target the target port identifier
 */
public record LoginRequest(
        int opcode,
        long tag,
        long requestedIuLength,
        int bufferFormats,
        int flags,
        int immediateDataOffset,
        PortId initiator,
        PortId target) {
    /** Bits of {@link #flags}: the multichannel action. */
    public static final int ACTION_MASK = 0x03;

    /** Multichannel action: end the other channels of this I_T nexus. */
    public static final int ACTION_SINGLE = 0;

    /** Multichannel action: keep them. */
    public static final int ACTION_MULTI = 1;

    /** Bit of {@link #flags}: SRP_T_LOGOUT shall be sent with a solicited event. */
    public static final int SOLICIT_LOGOUT = 0x10;

    /** Bit of {@link #flags}: SRP_CRED_REQ shall be sent with a solicited event. */
    public static final int SOLICIT_CREDIT = 0x20;

    /** Bit of {@link #flags}: SRP_AER_REQ shall be sent with a solicited event. */
    public static final int SOLICIT_EVENT = 0x40;

    /** Bit of {@link #flags}: the initiator wants to send immediate data. */
    public static final int IMMEDIATE_DATA = 0x80;

    /** How the request lies in the connection request's private data. */
    public enum Form {
        /** As the standard has it, 64 bytes: a plain InfiniBand CM request. */
        LONG(64),
        /** Linux's short form ({@code srp_login_req_rdma}), 56 bytes, after the CMA header of the RDMA/CM. */
        SHORT(56);

        private final int bytes;

        Form(int bytes) {
            this.bytes = bytes;
        }

        /** The length of a request in this form. */
        public int bytes() {
            return bytes;
        }
    }

    /**
     * Decodes private data; bytes after the request are ignored, since the CM pads with zeros.
     *
     * @return empty when there are fewer bytes than the form has
     */
    public static Optional<LoginRequest> decode(Form form, byte[] privateData) {
        if (privateData.length < form.bytes()) {
            return Optional.empty();
        }
        MemorySegment m = MemorySegment.ofArray(privateData);
        return Optional.of(switch (form) {
            case LONG -> new LoginRequest(
                    Wire.u8(m, 0), Wire.i64(m, 8), Wire.u32(m, 16), Wire.u16(m, 24), Wire.u8(m, 26), Wire.u16(m, 28),
                    PortId.read(m, 32), PortId.read(m, 48));
            case SHORT -> new LoginRequest(
                    Wire.u8(m, 11), Wire.i64(m, 0), Wire.u32(m, 12), Wire.u16(m, 8), Wire.u8(m, 10), Wire.u16(m, 48),
                    PortId.read(m, 16), PortId.read(m, 32));
        });
    }

    /** The request as private data. */
    public byte[] encode(Form form) {
        byte[] bytes = new byte[form.bytes()];
        MemorySegment m = MemorySegment.ofArray(bytes);
        switch (form) {
            case LONG -> {
                Wire.put8(m, 0, opcode);
                Wire.put64(m, 8, tag);
                Wire.put32(m, 16, requestedIuLength);
                Wire.put16(m, 24, bufferFormats);
                Wire.put8(m, 26, flags);
                Wire.put16(m, 28, immediateDataOffset);
                initiator.write(m, 32);
                target.write(m, 48);
            }
            case SHORT -> {
                Wire.put64(m, 0, tag);
                Wire.put16(m, 8, bufferFormats);
                Wire.put8(m, 10, flags);
                Wire.put8(m, 11, opcode);
                Wire.put32(m, 12, requestedIuLength);
                initiator.write(m, 16);
                target.write(m, 32);
                Wire.put16(m, 48, immediateDataOffset);
            }
        }
        return bytes;
    }

    /** The multichannel action, 0 to 3. */
    public int multichannelAction() {
        return flags & ACTION_MASK;
    }

    /** Whether immediate data are asked for. */
    public boolean wantsImmediateData() {
        return (flags & IMMEDIATE_DATA) != 0;
    }
}
