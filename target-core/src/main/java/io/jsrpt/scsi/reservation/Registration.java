package io.jsrpt.scsi.reservation;

/**
 * What a registered nexus has.
 *
 * @param key its reservation key, not 0
 * @param allTargetPorts whether it was registered for all target ports (ALL_TG_PT), of which there is one
 */
public record Registration(long key, boolean allTargetPorts) {}
