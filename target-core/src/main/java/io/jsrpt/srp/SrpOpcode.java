package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The first byte of each information unit (SRP r16a, table 8). */
public final class SrpOpcode {
    /** SRP_LOGIN_REQ, initiator to target. */
    public static final int LOGIN_REQ = 0x00;

    /** SRP_TSK_MGMT, initiator to target. */
    public static final int TSK_MGMT = 0x01;

    /** SRP_CMD, initiator to target. */
    public static final int CMD = 0x02;

    /** SRP_I_LOGOUT, initiator to target. */
    public static final int I_LOGOUT = 0x03;

    /** SRP_CRED_RSP, initiator to target. */
    public static final int CRED_RSP = 0x41;

    /** SRP_AER_RSP, initiator to target. */
    public static final int AER_RSP = 0x42;

    /** SRP_T_LOGOUT, target to initiator. */
    public static final int T_LOGOUT = 0x80;

    /** SRP_CRED_REQ, target to initiator. */
    public static final int CRED_REQ = 0x81;

    /** SRP_AER_REQ, target to initiator. */
    public static final int AER_REQ = 0x82;

    /** SRP_LOGIN_RSP, target to initiator. */
    public static final int LOGIN_RSP = 0xc0;

    /** SRP_RSP, target to initiator. */
    public static final int RSP = 0xc1;

    /** SRP_LOGIN_REJ, target to initiator. */
    public static final int LOGIN_REJ = 0xc2;

    private SrpOpcode() {}

    /**
     * The opcode of a unit.
     *
     * @param length bytes of the unit
     * @return 0 to 255, or -1 for a unit without a byte
     */
    public static int of(MemorySegment memory, long offset, int length) {
        return length < 1 ? -1 : memory.get(ValueLayout.JAVA_BYTE, offset) & 0xff;
    }
}
