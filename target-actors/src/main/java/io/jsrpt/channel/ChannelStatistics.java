package io.jsrpt.channel;

/**
 * What a channel has counted, and what it holds; a snapshot.
 *
 * @param commands SRP_CMD taken up
 * @param taskManagement SRP_TSK_MGMT taken up
 * @param responses SRP_RSP posted
 * @param aborted requests that ended without a response
 * @param refused commands whose buffer descriptors could not be used
 * @param bytesToInitiator bytes of RDMA WRITEs posted
 * @param bytesFromInitiator bytes of RDMA READs posted, and of immediate data
 * @param creditOverruns requests that came without a credit
 * @param creditsHeld credits that the initiator holds
 * @param requestsUnderWay requests that have no response yet
 * @param contextsInUse I/O contexts that are not free
 * @param unitsWaiting received units that wait for the channel to be live, or for an I/O context
 * @param storeOperations operations that the store has
 * @param poolUnitsTaken units of 4 KiB of the data pool in use
 * @param receivesPosted receive buffers posted
 */
public record ChannelStatistics(
        long commands,
        long taskManagement,
        long responses,
        long aborted,
        long refused,
        long bytesToInitiator,
        long bytesFromInitiator,
        long creditOverruns,
        int creditsHeld,
        int requestsUnderWay,
        int contextsInUse,
        int unitsWaiting,
        int storeOperations,
        int poolUnitsTaken,
        int receivesPosted) {}
