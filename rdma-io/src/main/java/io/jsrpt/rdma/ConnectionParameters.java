package io.jsrpt.rdma;

/**
 * What two sides of a connection agree on ({@code rdma_conn_param}; IBTA volume 1, 12.7).
 *
 * @param responderResources RDMA READs that this side answers at a time, 0 to 255
 * @param initiatorDepth RDMA READs that this side has outstanding at a time, 0 to 255
 * @param retryCount how often the peer repeats a request that is not acknowledged, 0 to 7
 * @param rnrRetryCount how often the peer repeats a request that found no receive, 0 to 7; 7 is for ever
 * @param flowControl whether this side's acknowledgements carry end-to-end credits
 * @param sharedReceiveQueue whether this side receives through a shared receive queue
 */
public record ConnectionParameters(
        int responderResources,
        int initiatorDepth,
        int retryCount,
        int rnrRetryCount,
        boolean flowControl,
        boolean sharedReceiveQueue) {
    public ConnectionParameters {
        check(responderResources, 255, "responderResources");
        check(initiatorDepth, 255, "initiatorDepth");
        check(retryCount, 7, "retryCount");
        check(rnrRetryCount, 7, "rnrRetryCount");
    }

    private static void check(int value, int max, String name) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(name + " is not in 0.." + max + ": " + value);
        }
    }
}
