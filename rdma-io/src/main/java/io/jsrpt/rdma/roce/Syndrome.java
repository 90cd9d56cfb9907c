package io.jsrpt.rdma.roce;

/** The AETH's syndrome (IBTA volume 1, 9.7.5.2): what kind of answer, and a credit count, a timer or a fault code. */
final class Syndrome {
    static final int ACK = 0;
    static final int RNR_NAK = 1;
    static final int NAK = 3;

    /** An ACK that takes no part in end-to-end flow control. */
    static final int ACK_UNLIMITED = 0x1f;

    static final int NAK_SEQUENCE = 0x60;
    static final int NAK_INVALID_REQUEST = 0x61;
    static final int NAK_REMOTE_ACCESS = 0x62;
    static final int NAK_REMOTE_OPERATION = 0x63;

    /** Table 45: RNR timer codes 0 to 31, in units of 10 microseconds. */
    private static final int[] RNR_TIMER = {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    /** Table 46: the credits that codes 0 to 30 stand for. */
    private static final int[] CREDITS = {
        0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096,
        6144, 8192, 12288, 16384, 24576, 32768
    };

    private Syndrome() {}

    /** {@link #ACK}, {@link #RNR_NAK} or {@link #NAK}; 2 is reserved. */
    static int kind(int syndrome) {
        return syndrome >> 5 & 3;
    }

    static int rnrNak(int timerCode) {
        return 0x20 | timerCode;
    }

    /** The wait that an RNR NAK asks for. */
    static long rnrNanos(int syndrome) {
        return RNR_TIMER[syndrome & 31] * 10_000L;
    }

    /** An ACK that advertises at most this many receives. */
    static int ackWithCredits(long receives) {
        int code = 0;
        while (code < 30 && CREDITS[code + 1] <= receives) {
            code++;
        }
        return code;
    }
}
