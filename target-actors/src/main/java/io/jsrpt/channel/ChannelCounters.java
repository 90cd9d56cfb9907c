package io.jsrpt.channel;

/** What a channel counts; the owner's alone. */
final class ChannelCounters {
    long commands;
    long taskManagement;
    long responses;
    long aborted;
    long refused;
    long bytesIn;
    long bytesOut;
}
