package io.jsrpt.rdma.roce;

/** Arithmetic of packet sequence numbers, which count modulo 2^24 (IBTA volume 1, 9.7.1). */
final class Psn {
    static final int MASK = 0xff_ffff;

    private Psn() {}

    /** The number that comes {@code n} after. */
    static int plus(int psn, long n) {
        return (int) (psn + n) & MASK;
    }

    /** How far {@code a} is ahead of {@code b}, negative when behind, in -2^23 to 2^23 - 1. */
    static int minus(int a, int b) {
        return ((a - b) << 8) >> 8;
    }
}
