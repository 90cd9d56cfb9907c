package io.jsrpt.rdma.cm;

/**
 * What takes a queue pair from RTR to RTS (IBTA volume 1, 11.2.5.2).
 *
 * @param startingPsn the sequence number of this side's first request, 24 bits
 * @param ackTimeout how long to wait for an acknowledgement: 4.096 us * 2^ackTimeout, 0 is for ever; 0 to 31
 * @param retryCount how often a request that is not acknowledged is repeated, 0 to 7
 * @param rnrRetryCount how often a request that found no receive is repeated, 0 to 7; 7 is for ever
 * @param initiatorDepth RDMA READs of this side that may be outstanding at a time
 */
public record ReadyToSend(
        int startingPsn, int ackTimeout, int retryCount, int rnrRetryCount, int initiatorDepth) {}
