package io.jsrpt.scsi;

/**
 * How a logical unit behaves, beyond what its store decides.
 *
 * @param maxTransferBlocks the longest transfer that one command may ask for, in blocks; reported in the Block Limits
 *     page, above it a command is refused
 * @param optimalTransferBlocks the transfer length that performs best, in blocks; 0 is not reported
 * @param optimalGranularityBlocks the multiple of which transfers perform best, in blocks; 0 is not reported
 * @param physicalBlockExponent there are 2 to the power of this many logical blocks in a physical block, 0 to 15
 * @param rotationRate of the Block Device Characteristics page: 0 not reported, 1 non-rotating, else revolutions per
 *     minute from 401h to FFFEh
 * @param writeCache whether a write may be answered before it is on stable storage (WCE of the caching mode page)
 * @param writeProtected whether writes are refused; those of a read-only store always are
 * @param relativeTargetPort the relative target port identifier, 1 to FFFFh
 * @param targetPortGroup the target port group, 0 to FFFFh
 */
public record LogicalUnitSettings(long maxTransferBlocks, long optimalTransferBlocks, int optimalGranularityBlocks,
        int physicalBlockExponent, int rotationRate, boolean writeCache, boolean writeProtected,
        int relativeTargetPort, int targetPortGroup) {
    private static final int DEFAULT_MAX_TRANSFER = 1 << 20;
    private static final int PAGE = 4096;

    public LogicalUnitSettings {
        require(maxTransferBlocks >= 1 && maxTransferBlocks <= 0xFFFF_FFFFL, "maximum transfer length");
        require(optimalTransferBlocks >= 0 && optimalTransferBlocks <= maxTransferBlocks, "optimal transfer length");
        require(optimalGranularityBlocks >= 0 && optimalGranularityBlocks <= 0xFFFF, "optimal transfer granularity");
        require(physicalBlockExponent >= 0 && physicalBlockExponent <= 15, "physical block exponent");
        require(rotationRate >= 0x401 ? rotationRate <= 0xFFFE : rotationRate == 0 || rotationRate == 1,
            "rotation rate");
        require(relativeTargetPort >= 1 && relativeTargetPort <= 0xFFFF, "relative target port identifier");
        require(targetPortGroup >= 0 && targetPortGroup <= 0xFFFF, "target port group");
    }

    /**
     * For a store on a page cache: transfers of 1 MiB at most, which is what a channel takes by default; 4 KiB physical
     * blocks, non-rotating, write cache on.
     */
    public static LogicalUnitSettings defaults(int blockSize) {
        int exponent = Math.max(0, Integer.numberOfTrailingZeros(PAGE) - Integer.numberOfTrailingZeros(blockSize));
        return new LogicalUnitSettings(DEFAULT_MAX_TRANSFER / blockSize, 0, 1 << exponent, exponent, 1, true, false,
            1, 1);
    }

    /** The same, but for the maximum transfer length, in blocks; an optimal length above it goes down to it. */
    public LogicalUnitSettings withMaxTransferBlocks(long blocks) {
        return new LogicalUnitSettings(blocks, Math.min(optimalTransferBlocks, blocks), optimalGranularityBlocks,
            physicalBlockExponent, rotationRate, writeCache, writeProtected, relativeTargetPort, targetPortGroup);
    }

    /** The same, but for the write cache. */
    public LogicalUnitSettings withWriteCache(boolean on) {
        return new LogicalUnitSettings(maxTransferBlocks, optimalTransferBlocks, optimalGranularityBlocks,
            physicalBlockExponent, rotationRate, on, writeProtected, relativeTargetPort, targetPortGroup);
    }

    /** The same, but for write protection. */
    public LogicalUnitSettings withWriteProtected(boolean on) {
        return new LogicalUnitSettings(maxTransferBlocks, optimalTransferBlocks, optimalGranularityBlocks,
            physicalBlockExponent, rotationRate, writeCache, on, relativeTargetPort, targetPortGroup);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException("the " + what + " is out of range");
        }
    }
}
