package io.jsrpt.actor;

import io.jsrpt.channel.ChannelSettings;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.srp.PortId;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What a target is started with. Immutable; make one with {@link #of} and change it with the {@code with} methods.
 *
 * @param name for people and logs
 * @param targetPort the target port identifier that initiators name at login: identifier extension ({@code id_ext}) and
 *     GUID of the I/O controller ({@code ioc_guid})
 * @param rdmaCmPort the port that the RDMA/CM listens to; empty for none
 * @param infinibandService whether to listen by the InfiniBand CM too, to the service id {@link #serviceId}
 * @param channel sizes of a channel's data path; a device's limits may make the queues smaller. Its longest transfer is
 *     at least what each logical unit announces
 * @param maxChannels the most channels of one I_T nexus
 * @param immediateData whether initiators may send data within a command
 * @param logicalUnits by logical unit number; they and their stores stay the caller's to close
 * @param allowedInitiators who may log in
 * @param timeouts how long to wait for others
 */
public record TargetSettings(
        String name,
        PortId targetPort,
        OptionalInt rdmaCmPort,
        boolean infinibandService,
        ChannelSettings channel,
        int maxChannels,
        boolean immediateData,
        Map<Integer, LogicalUnit> logicalUnits,
        AllowedInitiators allowedInitiators,
        TargetTimeouts timeouts) {
    /** As much as a Linux initiator opens on a large machine. */
    public static final int DEFAULT_MAX_CHANNELS = 64;

    private static final long AGN_MASK = 0x00ff_ffff_ffff_ffffL;

    public TargetSettings {
        logicalUnits = Map.copyOf(logicalUnits);
        if (name.isBlank()) {
            throw new IllegalArgumentException("a target needs a name");
        }
        if (maxChannels < 1) {
            throw new IllegalArgumentException("a nexus needs a channel: " + maxChannels);
        }
        if (rdmaCmPort.isPresent() && (rdmaCmPort.getAsInt() < 1 || rdmaCmPort.getAsInt() > 0xffff)) {
            throw new IllegalArgumentException("not a port: " + rdmaCmPort.getAsInt());
        }
        logicalUnits.forEach((number, unit) -> checkTransfer(number, unit, channel.maxTransferBytes()));
    }

    /** Initiators believe what a unit announces, so a channel must take it. */
    private static void checkTransfer(int number, LogicalUnit unit, int most) {
        long announced = unit.settings().maxTransferBlocks() * unit.blockSize();
        if (announced > most) {
            throw new IllegalArgumentException("LUN " + number + " announces transfers of " + announced
                    + " bytes, but a channel takes " + most + " at most");
        }
    }

    /**
     * A target that listens by the RDMA/CM only, open to every initiator, with default limits.
     *
     * @param iocGuid the GUID of the I/O controller, which is the identifier extension too
     */
    public static TargetSettings of(String name, long iocGuid, int rdmaCmPort, Map<Integer, LogicalUnit> logicalUnits) {
        return new TargetSettings(
                name,
                new PortId(iocGuid, iocGuid),
                OptionalInt.of(rdmaCmPort),
                false,
                ChannelSettings.DEFAULT,
                DEFAULT_MAX_CHANNELS,
                true,
                logicalUnits,
                AllowedInitiators.EVERYONE,
                TargetTimeouts.DEFAULT);
    }

    /**
     * The InfiniBand service id: the I/O controller's GUID without its first byte. A GUID with locally assigned bits
     * there would be a service id of another kind (IBTA volume 1, annex A3: the assigning group's number, AGN).
     */
    public long serviceId() {
        return targetPort.low() & AGN_MASK;
    }

    /** The same, but for the sizes of a channel. */
    public TargetSettings withChannel(ChannelSettings sizes) {
        return new TargetSettings(name, targetPort, rdmaCmPort, infinibandService, sizes, maxChannels, immediateData,
                logicalUnits, allowedInitiators, timeouts);
    }

    /** The same, but for who may log in. */
    public TargetSettings withAllowedInitiators(AllowedInitiators allowed) {
        return new TargetSettings(name, targetPort, rdmaCmPort, infinibandService, channel, maxChannels, immediateData,
                logicalUnits, allowed, timeouts);
    }

    /** The same, but for the most channels of one I_T nexus. */
    public TargetSettings withMaxChannels(int channels) {
        return new TargetSettings(name, targetPort, rdmaCmPort, infinibandService, channel, channels, immediateData,
                logicalUnits, allowedInitiators, timeouts);
    }

    /** The same, but for the timeouts. */
    public TargetSettings withTimeouts(TargetTimeouts bounds) {
        return new TargetSettings(name, targetPort, rdmaCmPort, infinibandService, channel, maxChannels, immediateData,
                logicalUnits, allowedInitiators, bounds);
    }

    /** The same, but listening by the InfiniBand CM too, or not. */
    public TargetSettings withInfinibandService(boolean listen) {
        return new TargetSettings(name, targetPort, rdmaCmPort, listen, channel, maxChannels, immediateData,
                logicalUnits, allowedInitiators, timeouts);
    }
}
