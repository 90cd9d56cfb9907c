package io.jsrpt.rdma;

import java.util.Optional;

/**
 * What a queue pair is created with ({@code ibv_qp_init_attr}).
 *
 * @param pd its protection domain
 * @param sendQueue gets the completions of sends, RDMA WRITEs and READs
 * @param receiveQueue gets the completions of receives; may be the same
 * @param sharedReceiveQueue where receives come from, instead of a receive queue of its own
 * @param maxSendWorkRequests depth of the send queue
 * @param maxReceiveWorkRequests depth of its own receive queue; 0 with a shared one
 */
public record QueuePairSpec(
        ProtectionDomain pd,
        CompletionQueue sendQueue,
        CompletionQueue receiveQueue,
        Optional<SharedReceiveQueue> sharedReceiveQueue,
        int maxSendWorkRequests,
        int maxReceiveWorkRequests) {}
