package io.jsrpt.rdma.cm;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.PathMtu;

/**
 * What takes a queue pair from INIT to RTR (IBTA volume 1, 11.2.5.2).
 *
 * @param localQueuePair this side's queue pair number, as given to accept or connect
 * @param remoteQueuePair the peer's queue pair number, 24 bits
 * @param remoteStartingPsn the sequence number of the peer's first request, 24 bits
 * @param pathMtu what both sides can do
 * @param responderResources RDMA READs of the peer that are answered at a time
 * @param remote the peer's port
 * @param minRnrTimer the code of the delay that a receiver-not-ready NAK asks for, 0 to 31 (IBTA table 45)
 * @param trafficClass of the path; for RoCEv2 the type of service
 * @param hopLimit of the path
 * @param partitionKey of the path
 */
public record ReadyToReceive(
        int localQueuePair,
        int remoteQueuePair,
        int remoteStartingPsn,
        PathMtu pathMtu,
        int responderResources,
        Gid remote,
        int minRnrTimer,
        int trafficClass,
        int hopLimit,
        int partitionKey) {}
