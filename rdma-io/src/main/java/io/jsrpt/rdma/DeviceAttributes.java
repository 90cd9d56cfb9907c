package io.jsrpt.rdma;

/**
 * A device's identity and limits ({@code ibv_query_device}).
 *
 * @param nodeGuid EUI-64 of the device
 * @param vendorId IEEE company id, 24 bits
 * @param vendorPartId the vendor's number of the part
 * @param hardwareVersion the vendor's version
 * @param maxQueuePairWorkRequests the most work requests outstanding in one queue of a queue pair
 * @param maxSharedReceiveQueueWorkRequests the same for a shared receive queue
 * @param maxInitiatorDepth the most RDMA READs that one queue pair has outstanding as requester
 * @param maxResponderResources the most RDMA READs that one queue pair accepts outstanding as responder
 * @param maxMessageBytes the longest message
 */
public record DeviceAttributes(
        long nodeGuid,
        int vendorId,
        int vendorPartId,
        int hardwareVersion,
        int maxQueuePairWorkRequests,
        int maxSharedReceiveQueueWorkRequests,
        int maxInitiatorDepth,
        int maxResponderResources,
        long maxMessageBytes) {}
