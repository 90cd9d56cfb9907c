package io.jsrpt.channel;

import io.jsrpt.srp.LoginLimits;

/**
 * What a channel is opened with.
 *
 * @param requestQueueSize commands and task management functions under way at a time: the initial credits; at least 2,
 *     as initiators keep one for task management
 * @param sendQueueSize send-queue slots for RDMA READs, RDMA WRITEs and responses
 * @param maxRequestBytes the longest information unit that the initiator may send
 * @param maxResponseBytes the longest SRP_RSP that the target builds; the login may ask for less
 * @param maxTransferBytes the most data of one command
 * @param dataPoolBytes registered memory for the data of all commands of the channel
 */
public record ChannelSettings(
        int requestQueueSize,
        int sendQueueSize,
        int maxRequestBytes,
        int maxResponseBytes,
        int maxTransferBytes,
        int dataPoolBytes) {
    /** The longest indirect descriptor table that is fetched from the initiator's memory. */
    public static final int MAX_TABLE_BYTES = 65_536;

    /** The kernel's sizes: 128 commands, 8276-byte requests, 256-byte responses; 1 MiB a command, an 8 MiB pool. */
    public static final ChannelSettings DEFAULT = new ChannelSettings(128, 1024, 8276, 256, 1 << 20, 8 << 20);

    public ChannelSettings {
        between(requestQueueSize, 2, 16_384, "requestQueueSize");
        between(sendQueueSize, 4, 65_535, "sendQueueSize");
        between(maxRequestBytes, LoginLimits.MIN_IU_LENGTH, 1 << 20, "maxRequestBytes");
        between(maxResponseBytes, LoginLimits.MIN_IU_LENGTH, 65_536, "maxResponseBytes");
        between(maxTransferBytes, 4096, 1 << 28, "maxTransferBytes");
        between(dataPoolBytes, 4096, 1 << 30, "dataPoolBytes");
        if ((long) maxTransferBytes + MAX_TABLE_BYTES > dataPoolBytes) {
            throw new IllegalArgumentException("dataPoolBytes " + dataPoolBytes + " is below maxTransferBytes "
                    + maxTransferBytes + " and an indirect table of " + MAX_TABLE_BYTES);
        }
    }

    private static void between(int value, int min, int max, String name) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is not in " + min + ".." + max + ": " + value);
        }
    }
}
