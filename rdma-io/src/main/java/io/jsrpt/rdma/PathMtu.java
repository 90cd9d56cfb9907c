package io.jsrpt.rdma;

/** Path MTU: the largest payload of one packet. The wire codes are those of IBTA volume 1, 14.2.5.6 (PortInfo). */
public enum PathMtu {
    MTU_256(1, 256),
    MTU_512(2, 512),
    MTU_1024(3, 1024),
    MTU_2048(4, 2048),
    MTU_4096(5, 4096);

    private final int code;
    private final int bytes;

    PathMtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** The code on the wire, 1 to 5. */
    public int code() {
        return code;
    }

    /** The payload in bytes. */
    public int bytes() {
        return bytes;
    }

    /**
     * The MTU with this wire code.
     *
     * @throws IllegalArgumentException for a code that no MTU has
     */
    public static PathMtu ofCode(int code) {
        for (PathMtu mtu : values()) {
            if (mtu.code == code) {
                return mtu;
            }
        }
        throw new IllegalArgumentException("no path MTU has the code " + code);
    }

    /** The smaller of the two. */
    public PathMtu min(PathMtu other) {
        return code <= other.code ? this : other;
    }
}
