package io.jsrpt.srp;

/** Data buffer descriptor formats: the bits of a login, and the codes of a command (SRP r16a, tables 10 and 20). */
public final class BufferFormats {
    /** Login bit: the sender uses or supports direct descriptors. */
    public static final int DIRECT_BIT = 0x0002;

    /** Login bit: the sender uses or supports indirect descriptors. */
    public static final int INDIRECT_BIT = 0x0004;

    /** What this target supports. */
    public static final int SUPPORTED = DIRECT_BIT | INDIRECT_BIT;

    /** Command code: no data buffer. */
    public static final int NONE = 0;

    /** Command code: one descriptor. */
    public static final int DIRECT = 1;

    /** Command code: a table of descriptors. */
    public static final int INDIRECT = 2;

    /** Command code: the data are in the unit itself (SRP-2). */
    public static final int IMMEDIATE = 3;

    /** Bytes of a descriptor: address 8, key 4, length 4. */
    public static final int DESCRIPTOR_BYTES = 16;

    /** Bytes of an indirect descriptor before its partial list: the table's descriptor 16, total length 4. */
    public static final int INDIRECT_BYTES = 20;

    /** Bytes of an immediate descriptor. */
    public static final int IMMEDIATE_BYTES = 4;

    private BufferFormats() {}
}
