package io.jsrpt.rdma.mad;

/** Constants of management datagrams (IBTA volume 1, 13.4.2 to 13.4.5). Multi-byte fields are big-endian. */
public final class Mad {
    /** Every MAD has this many bytes. */
    public static final int SIZE = 256;

    /** Bytes of the common header; the attribute follows. */
    public static final int HEADER_SIZE = 24;

    /** The only base version there is. */
    public static final int BASE_VERSION = 1;

    /** The queue pair that general services listen at. */
    public static final int QP1 = 1;

    /** The Q_Key of QP1. */
    public static final int QP1_QKEY = 0x8001_0000;

    /** Subnet administration class. */
    public static final int CLASS_SUBNET_ADMINISTRATION = 0x03;

    /** Performance management class. */
    public static final int CLASS_PERFORMANCE_MANAGEMENT = 0x04;

    /** Device management class, in which SRP targets announce themselves. */
    public static final int CLASS_DEVICE_MANAGEMENT = 0x06;

    /** Communication management class. */
    public static final int CLASS_COMMUNICATION_MANAGEMENT = 0x07;

    public static final int METHOD_GET = 0x01;
    public static final int METHOD_SET = 0x02;
    public static final int METHOD_SEND = 0x03;
    public static final int METHOD_GET_RESPONSE = 0x81;

    private Mad() {}
}
