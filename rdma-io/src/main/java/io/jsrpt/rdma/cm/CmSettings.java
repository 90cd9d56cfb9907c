package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;

/**
 * Settings of one {@link CmEngine}. Times are exponents n that stand for 4.096 us * 2^n.
 *
 * @param local the port that the engine speaks for
 * @param caGuid the GUID of the channel adapter, told to peers; unique among them
 * @param maxPathMtu what the port can do; caps what peers propose, and is what this side proposes
 * @param responseTimeout how long either side may take to answer a CM message of this side, 12 to 24; told in REQs
 * @param maxRetries how often a CM message is repeated, 0 to 15; told in REQs
 * @param localAckTimeout what this side's REQs ask the peer to use as its transport timeout, 1 to 31
 * @param targetAckDelay how long this side may take to acknowledge a packet, 0 to 31; told in REPs
 * @param minRnrTimer the receiver-not-ready delay that this side's NAKs ask for, 0 to 31
 * @param maxHalfOpen how many requests may wait for their owner or their RTU; one more is refused for no resources
 * @param maxLingering how many ended connections are remembered (time-wait); one more drops the oldest
 */
public record CmSettings(
        Gid local,
        long caGuid,
        PathMtu maxPathMtu,
        int responseTimeout,
        int maxRetries,
        int localAckTimeout,
        int targetAckDelay,
        int minRnrTimer,
        int maxHalfOpen,
        int maxLingering) {
    public CmSettings {
        check(responseTimeout, 12, 24, "responseTimeout");
        check(maxRetries, 0, 15, "maxRetries");
        check(localAckTimeout, 1, 31, "localAckTimeout");
        check(targetAckDelay, 0, 31, "targetAckDelay");
        check(minRnrTimer, 0, 31, "minRnrTimer");
        check(maxHalfOpen, 1, 1 << 20, "maxHalfOpen");
        check(maxLingering, 1, 1 << 20, "maxLingering");
    }

    /**
     * The settings of Linux's RDMA/CM (timeout 20, 4.3 s; 15 retries), with a shorter transport timeout (17, 0.5 s),
     * since the round trip of a RoCE network is far below the 2 s that Linux asks for, and a lost last packet costs
     * one timeout.
     */
    public static CmSettings of(Gid local, long caGuid, PathMtu maxPathMtu) {
        return new CmSettings(local, caGuid, maxPathMtu, 20, 15, 17, 15, 12, 1024, 4096);
    }

    private static void check(int value, int min, int max, String name) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is not in " + min + ".." + max + ": " + value);
        }
    }
}
