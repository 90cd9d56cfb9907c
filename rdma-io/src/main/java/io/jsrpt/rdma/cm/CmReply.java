package io.jsrpt.rdma.cm;

import static io.jsrpt.rdma.cm.CmMessage.at;

import java.nio.ByteBuffer;

/**
 * The contents of a REP (IBTA volume 1, 12.6.8). "Local" is the sender's side.
 *
 * @param targetAckDelay how long the sender may take to acknowledge a packet, 4.096 us * 2^n
 * @param failoverAccepted what becomes of the alternate path: 1 is not supported
 * @param rnrRetryCount how often the receiver's queue pair repeats a request that finds no receive
 * @param privateData 196 bytes when decoded; shorter ones may be encoded
 */
record CmReply(
        int localCommId,
        int remoteCommId,
        int localQkey,
        int localQpn,
        int localEecn,
        int startingPsn,
        int responderResources,
        int initiatorDepth,
        int targetAckDelay,
        int failoverAccepted,
        boolean flowControl,
        int rnrRetryCount,
        boolean sharedReceiveQueue,
        long localCaGuid,
        byte[] privateData) {
    static final int PRIVATE_DATA_SIZE = 196;

    static CmReply decode(ByteBuffer b) {
        int flags = b.getInt(at(24));
        return new CmReply(
                b.getInt(at(0)),
                b.getInt(at(4)),
                b.getInt(at(8)),
                b.getInt(at(12)) >>> 8,
                b.getInt(at(16)) >>> 8,
                b.getInt(at(20)) >>> 8,
                flags >>> 24,
                flags >>> 16 & 0xff,
                flags >>> 11 & 0x1f,
                flags >>> 9 & 3,
                (flags & 0x100) != 0,
                flags >>> 5 & 7,
                (flags & 0x10) != 0,
                b.getLong(at(28)),
                CmMessage.bytes(b, 36, PRIVATE_DATA_SIZE));
    }

    void encode(ByteBuffer b) {
        b.putInt(at(0), localCommId)
                .putInt(at(4), remoteCommId)
                .putInt(at(8), localQkey)
                .putInt(at(12), localQpn << 8)
                .putInt(at(16), localEecn << 8)
                .putInt(at(20), startingPsn << 8)
                .putInt(
                        at(24),
                        responderResources << 24
                                | initiatorDepth << 16
                                | targetAckDelay << 11
                                | failoverAccepted << 9
                                | (flowControl ? 0x100 : 0)
                                | rnrRetryCount << 5
                                | (sharedReceiveQueue ? 0x10 : 0))
                .putLong(at(28), localCaGuid)
                .put(at(36), privateData);
    }
}
