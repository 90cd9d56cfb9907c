package io.jsrpt.rdma.cm;

import static io.jsrpt.rdma.cm.CmMessage.at;

import io.jsrpt.rdma.Gid;
import java.nio.ByteBuffer;

/**
 * The contents of a REQ (IBTA volume 1, 12.6.5). "Local" is the sender's side. Times are exponents n for
 * 4.096 us * 2^n.
 *
 * @param remoteResponseTimeout how long the sender waits for an answer to this REQ
 * @param transportServiceType 0 is reliable connected
 * @param localResponseTimeout how long the receiver should wait for the sender's answers
 * @param retryCount how often the receiver's queue pair repeats a request
 * @param pathMtu the code of the proposed path MTU, 4 bits as they came
 * @param privateData 92 bytes when decoded; shorter ones may be encoded
 */
record CmRequest(
        int localCommId,
        long serviceId,
        long localCaGuid,
        int localQkey,
        int localQpn,
        int responderResources,
        int localEecn,
        int initiatorDepth,
        int remoteEecn,
        int remoteResponseTimeout,
        int transportServiceType,
        boolean flowControl,
        int startingPsn,
        int localResponseTimeout,
        int retryCount,
        int partitionKey,
        int pathMtu,
        boolean rdcExists,
        int rnrRetryCount,
        int maxCmRetries,
        boolean sharedReceiveQueue,
        int extendedTransport,
        Path primary,
        Path alternate,
        byte[] privateData) {
    static final int PRIVATE_DATA_SIZE = 92;
    static final int RELIABLE_CONNECTED = 0;

    /**
     * One path of a REQ, 44 bytes.
     *
     * @param localAckTimeout the transport timeout that the receiver's queue pair should use
     */
    record Path(
            int localLid,
            int remoteLid,
            Gid localGid,
            Gid remoteGid,
            int flowLabel,
            int packetRate,
            int trafficClass,
            int hopLimit,
            int serviceLevel,
            boolean subnetLocal,
            int localAckTimeout) {
        static final Path NONE = new Path(0, 0, new Gid(0, 0), new Gid(0, 0), 0, 0, 0, 0, 0, false, 0);

        private static Path decode(ByteBuffer b, int offset) {
            int label = b.getInt(at(offset + 36));
            int level = b.get(at(offset + 42)) & 0xff;
            return new Path(
                    b.getShort(at(offset)) & 0xffff,
                    b.getShort(at(offset + 2)) & 0xffff,
                    new Gid(b.getLong(at(offset + 4)), b.getLong(at(offset + 12))),
                    new Gid(b.getLong(at(offset + 20)), b.getLong(at(offset + 28))),
                    label >>> 12,
                    label & 0x3f,
                    b.get(at(offset + 40)) & 0xff,
                    b.get(at(offset + 41)) & 0xff,
                    level >>> 4,
                    (level & 0x08) != 0,
                    (b.get(at(offset + 43)) & 0xff) >>> 3);
        }

        private void encode(ByteBuffer b, int offset) {
            b.putShort(at(offset), (short) localLid)
                    .putShort(at(offset + 2), (short) remoteLid)
                    .putLong(at(offset + 4), localGid.subnetPrefix())
                    .putLong(at(offset + 12), localGid.interfaceId())
                    .putLong(at(offset + 20), remoteGid.subnetPrefix())
                    .putLong(at(offset + 28), remoteGid.interfaceId())
                    .putInt(at(offset + 36), flowLabel << 12 | packetRate)
                    .put(at(offset + 40), (byte) trafficClass)
                    .put(at(offset + 41), (byte) hopLimit)
                    .put(at(offset + 42), (byte) (serviceLevel << 4 | bit(subnetLocal, 3)))
                    .put(at(offset + 43), (byte) (localAckTimeout << 3));
        }
    }

    static CmRequest decode(ByteBuffer b) {
        int word32 = b.getInt(at(32));
        int word36 = b.getInt(at(36));
        int word40 = b.getInt(at(40));
        int word44 = b.getInt(at(44));
        int word48 = b.getInt(at(48));
        return new CmRequest(
                b.getInt(at(0)),
                b.getLong(at(8)),
                b.getLong(at(16)),
                b.getInt(at(28)),
                word32 >>> 8,
                word32 & 0xff,
                word36 >>> 8,
                word36 & 0xff,
                word40 >>> 8,
                word40 >>> 3 & 0x1f,
                word40 >>> 1 & 3,
                (word40 & 1) != 0,
                word44 >>> 8,
                word44 >>> 3 & 0x1f,
                word44 & 7,
                word48 >>> 16,
                word48 >>> 12 & 0xf,
                (word48 & 0x800) != 0,
                word48 >>> 8 & 7,
                word48 >>> 4 & 0xf,
                (word48 & 8) != 0,
                word48 & 7,
                Path.decode(b, 52),
                Path.decode(b, 96),
                CmMessage.bytes(b, 140, PRIVATE_DATA_SIZE));
    }

    void encode(ByteBuffer b) {
        b.putInt(at(0), localCommId)
                .putLong(at(8), serviceId)
                .putLong(at(16), localCaGuid)
                .putInt(at(28), localQkey)
                .putInt(at(32), localQpn << 8 | responderResources)
                .putInt(at(36), localEecn << 8 | initiatorDepth)
                .putInt(
                        at(40),
                        remoteEecn << 8 | remoteResponseTimeout << 3 | transportServiceType << 1 | bit(flowControl, 0))
                .putInt(at(44), startingPsn << 8 | localResponseTimeout << 3 | retryCount)
                .putInt(
                        at(48),
                        partitionKey << 16
                                | pathMtu << 12
                                | bit(rdcExists, 11)
                                | rnrRetryCount << 8
                                | maxCmRetries << 4
                                | bit(sharedReceiveQueue, 3)
                                | extendedTransport);
        primary.encode(b, 52);
        alternate.encode(b, 96);
        b.put(at(140), privateData);
    }

    private static int bit(boolean set, int position) {
        return set ? 1 << position : 0;
    }
}
