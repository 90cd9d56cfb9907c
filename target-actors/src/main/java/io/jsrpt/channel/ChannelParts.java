package io.jsrpt.channel;

import io.jsrpt.scsi.DeviceServer;
import io.jsrpt.scsi.nexus.Nexus;

/** What the steps of a channel's data path work on together. */
record ChannelParts(
        ChannelSettings settings,
        AgreedLogin agreed,
        DeviceServer server,
        Nexus nexus,
        ChannelEvents events,
        ChannelMemory memory,
        DataBufferPool pool,
        ReceiveRing receives,
        SendQueue sendQueue,
        IoContexts contexts,
        Credits credits,
        StoreHandover handover,
        Condition condition,
        ChannelCounters counters) {}
