package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.store.BlockStore;

/**
 * A disk: an identity, a store, and how it behaves. Used by all sessions at once. What its nexuses share is changed by
 * one owner, and read by all as an immutable {@link UnitState}; whether it is started is a single flag.
 */
public final class LogicalUnit {
    private final LogicalUnitIdentity identity;
    private final BlockStore store;
    private final LogicalUnitSettings settings;
    private final int blockShift;
    private final long blockCount;
    private final WriteGate gate = new WriteGate();
    private volatile boolean stopped;
    private volatile UnitOwner owner = UnitOwner.CALLER;
    private volatile UnitState state = UnitState.INITIAL;

    /**
     * A unit over an open store, which stays the caller's to close.
     *
     * @throws IllegalArgumentException when the store's geometry cannot be served, or a transfer of the maximum length
     *     does not fit a buffer
     */
    public LogicalUnit(LogicalUnitIdentity identity, BlockStore store, LogicalUnitSettings settings) {
        int blockSize = store.blockSize();
        if (blockSize < 512 || Integer.bitCount(blockSize) != 1 || blockSize > 1 << 20) {
            throw new IllegalArgumentException("a block size of " + blockSize + " bytes cannot be served");
        }
        this.blockShift = Integer.numberOfTrailingZeros(blockSize);
        this.blockCount = store.blockCount();
        if (blockCount < 1 || blockCount > Long.MAX_VALUE >> blockShift) {
            throw new IllegalArgumentException("a store of " + blockCount + " blocks cannot be served");
        }
        if (settings.maxTransferBlocks() > Integer.MAX_VALUE >> blockShift) {
            throw new IllegalArgumentException("a transfer of " + settings.maxTransferBlocks() + " blocks of "
                + blockSize + " bytes is longer than a buffer can be");
        }
        this.identity = identity;
        this.store = store;
        this.settings = settings;
    }

    public LogicalUnitIdentity identity() {
        return identity;
    }

    public LogicalUnitSettings settings() {
        return settings;
    }

    /** The store that holds the blocks. */
    public BlockStore store() {
        return store;
    }

    /** The logical block length in bytes. */
    public int blockSize() {
        return 1 << blockShift;
    }

    /** The number of logical blocks. */
    public long blockCount() {
        return blockCount;
    }

    /** Whether writes are refused, by the store or by the settings. */
    public boolean writeProtected() {
        return settings.writeProtected() || store.readOnly();
    }

    /** Whether space can be given back, and read capacity data says so (LBPME). */
    boolean thin() {
        return store.thin();
    }

    /** Whether a write may be answered before it is on stable storage. */
    boolean writeCache() {
        return settings.writeCache();
    }

    /** Where writes enter. */
    WriteGate gate() {
        return gate;
    }

    /**
     * Gives the unit an owner, which changes what its nexuses share from now on.
     *
     * @throws IllegalStateException when it has one already: a unit belongs to one target at a time
     */
    public void ownedBy(UnitOwner newOwner) {
        if (owner != UnitOwner.CALLER) {
            throw new IllegalStateException("the unit " + identity.product() + " " + identity.serial()
                + " belongs to another target");
        }
        owner = newOwner;
    }

    /** Takes the unit from its owner, which is about to stop. */
    public void disowned() {
        owner = UnitOwner.CALLER;
    }

    /**
     * By the owner: a nexus is there from now on, and is told {@link UnitAttention#POWER_ON_OR_RESET}. Without effect
     * on one that is there.
     */
    public void attach(Nexus nexus) {
        if (!state.attentions().containsKey(nexus)) {
            state = state.with(nexus, UnitAttention.POWER_ON_OR_RESET);
        }
    }

    /** By the owner: an I_T nexus is lost (SAM-5 6.3.4). Its tasks are the caller's to abort. */
    public void nexusLost(Nexus nexus) {
        state = state.without(nexus);
    }

    /** By the owner: a logical unit reset (SAM-5 6.3.3). Tasks are the caller's to abort. */
    public void reset() {
        stopped = false;
        state = state.establish(UnitAttention.RESET, _ -> true);
    }

    /** Any thread: establishes a unit attention for every nexus that is there. */
    public void establish(UnitAttention attention) {
        owner.run(() -> state = state.establish(attention, _ -> true));
    }

    /** Any thread: establishes a unit attention for every nexus that is there but one, which brought it about. */
    public void establishForOthers(UnitAttention attention, Nexus except) {
        owner.run(() -> state = state.establish(attention, nexus -> !nexus.equals(except)));
    }

    /** Any thread: a unit attention was taken from the state. */
    void attentionTaken() {
        owner.run(() -> state = state.pruned());
    }

    /** Who changes what the unit's nexuses share. */
    UnitOwner owner() {
        return owner;
    }

    /** What the unit's nexuses share now. */
    UnitState state() {
        return state;
    }

    /** A number of blocks in bytes. */
    long bytes(long blocks) {
        return blocks << blockShift;
    }

    boolean stopped() {
        return stopped;
    }

    void stopped(boolean now) {
        stopped = now;
    }
}
