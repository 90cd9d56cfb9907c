package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.reservation.Notice;
import io.jsrpt.scsi.reservation.Outcome;
import io.jsrpt.scsi.reservation.ReservationKeeper;
import io.jsrpt.store.BlockStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A disk: an identity, a store, and how it behaves. Used by all sessions at once. What its nexuses share is changed by
 * one owner, and read by all as an immutable {@link UnitState}; whether it is started is a single flag.
 */
public final class LogicalUnit {
    private final LogicalUnitIdentity identity;
    private final BlockStore store;
    private final LogicalUnitSettings settings;
    private final int blockShift;
    private final AtomicLong blockCount;
    private final WriteGate gate = new WriteGate();
    private final UnitCounters counters = new UnitCounters();
    private final MemorySegment buffer = MemorySegment.ofArray(new byte[BufferCommand.CAPACITY]);
    private volatile ModeParameters modes;
    private volatile boolean stopped;
    private volatile UnitOwner owner = UnitOwner.CALLER;
    private volatile UnitState state = UnitState.INITIAL;
    private volatile ReservationKeeper reservationKeeper = ReservationKeeper.NONE;

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
        long blocks = store.blockCount();
        if (!serves(blocks)) {
            throw new IllegalArgumentException("a store of " + blocks + " blocks cannot be served");
        }
        this.blockCount = new AtomicLong(blocks);
        if (settings.maxTransferBlocks() > Integer.MAX_VALUE >> blockShift) {
            throw new IllegalArgumentException("a transfer of " + settings.maxTransferBlocks() + " blocks of "
                + blockSize + " bytes is longer than a buffer can be");
        }
        this.identity = identity;
        this.store = store;
        this.settings = settings;
        this.modes = ModeParameters.defaults(settings);
    }

    private boolean serves(long blocks) {
        return blocks >= 1 && blocks <= Long.MAX_VALUE >> blockShift;
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
        return blockCount.get();
    }

    /**
     * Any thread: looks whether the store has grown, and if so serves the new blocks and tells every nexus by a unit
     * attention. A store that has become smaller is not believed: its missing blocks are medium errors.
     *
     * @return whether it has grown
     */
    public boolean refreshCapacity() {
        return refreshCapacity(_ -> true);
    }

    /** The same for a nexus that is about to be told the new capacity. */
    boolean refreshCapacityFor(Nexus asking) {
        return refreshCapacity(nexus -> !nexus.equals(asking));
    }

    private boolean refreshCapacity(Predicate<Nexus> told) {
        long now = store.blockCount();
        long before = blockCount.get();
        if (now <= before || !serves(now) || !blockCount.compareAndSet(before, now)) {
            return false;
        }
        owner.run(() -> state = state.establish(UnitAttention.CAPACITY_DATA_CHANGED, told));
        return true;
    }

    /** Whether writes are refused, by the store, by the settings or by MODE SELECT. */
    public boolean writeProtected() {
        return settings.writeProtected() || store.readOnly() || modes.writeProtected();
    }

    /** Whether space can be given back, and read capacity data says so (LBPME). */
    boolean thin() {
        return store.thin();
    }

    /** Whether a write may be answered before it is on stable storage. */
    boolean writeCache() {
        return modes.writeCache();
    }

    /** What MODE SELECT can change, as it is now. */
    ModeParameters modes() {
        return modes;
    }

    /** By the owner: what holds from now on. */
    void modes(ModeParameters now) {
        modes = now;
    }

    /** What the log pages tell. */
    UnitCounters counters() {
        return counters;
    }

    /** The buffer of READ BUFFER and WRITE BUFFER. */
    MemorySegment buffer() {
        return buffer;
    }

    /** Where writes enter. */
    WriteGate gate() {
        return gate;
    }

    /**
     * Keeps persistent reservations over a restart from now on, for initiators that ask for it; those that were kept
     * hold at once. Before the unit is given to a target.
     *
     * @throws IOException when it cannot be told what was kept; the unit must not be served then
     */
    public void keepReservations(ReservationKeeper keeper) throws IOException {
        keeper.load().ifPresent(kept -> state = state.reserved(kept));
        reservationKeeper = keeper;
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
     * By the owner: a nexus is there from now on. Without effect on one that is there.
     *
     * @param first what it is to be told first
     */
    public void attach(Nexus nexus, UnitAttention... first) {
        if (!state.attentions().containsKey(nexus)) {
            state = state.with(nexus, first);
        }
    }

    /** By the owner: an I_T nexus is lost (SAM-5 6.3.4). Its tasks are the caller's to abort. */
    public void nexusLost(Nexus nexus) {
        state = state.without(nexus);
    }

    /** By the owner: a logical unit reset (SAM-5 6.3.3). Tasks are the caller's to abort. */
    public void reset() {
        stopped = false;
        modes = ModeParameters.defaults(settings);
        state = state.reservedBy(Optional.empty()).establish(UnitAttention.RESET, _ -> true);
    }

    /**
     * By the owner: takes over what a PERSISTENT RESERVE OUT has changed.
     *
     * @param abort whether commands of preempted nexuses are aborted
     * @param whenDone run when no command that the reservations now exclude can reach the store any more
     * @throws IOException when the change could not be kept; it is not done then
     */
    void change(Outcome.Done done, boolean abort, Runnable whenDone) throws IOException {
        UnitState before = state;
        if (done.after().equals(before.reservations())) {
            whenDone.run();
            return;
        }
        if (before.reservations().kept() || done.after().kept()) {
            reservationKeeper.save(done.after());
        }
        UnitState after = before.reserved(done.after());
        for (Map.Entry<Nexus, Notice> notice : done.notices().entrySet()) {
            after = after.establish(attention(notice.getValue()), notice.getKey()::equals);
        }
        state = after;
        Predicate<Nexus> excluded = excluded(before, after);
        if (abort) {
            owner.fence(done.preempted()::contains, true, () -> owner.fence(excluded, false, whenDone));
        } else {
            owner.fence(excluded, false, whenDone);
        }
    }

    /** By the owner: RESERVE of a nexus; {@code whenDone} as in {@link #change}. */
    void reserve(Nexus nexus, Runnable whenDone) {
        UnitState before = state;
        UnitState after = before.reservedBy(Optional.of(nexus));
        state = after;
        owner.fence(excluded(before, after), false, whenDone);
    }

    /** By the owner: RELEASE of the nexus that has reserved the unit. */
    void release() {
        state = state.reservedBy(Optional.empty());
    }

    private static Predicate<Nexus> excluded(UnitState before, UnitState after) {
        return nexus -> (before.mayChange(nexus) && !after.mayChange(nexus))
            || (before.mayRead(nexus) && !after.mayRead(nexus));
    }

    private static UnitAttention attention(Notice notice) {
        return switch (notice) {
            case RESERVATIONS_PREEMPTED -> UnitAttention.RESERVATIONS_PREEMPTED;
            case RESERVATIONS_RELEASED -> UnitAttention.RESERVATIONS_RELEASED;
            case REGISTRATIONS_PREEMPTED -> UnitAttention.REGISTRATIONS_PREEMPTED;
        };
    }

    /** What keeps persistent reservations over a restart. */
    ReservationKeeper reservationKeeper() {
        return reservationKeeper;
    }

    /** Any thread: establishes a unit attention for every nexus that is there. */
    public void establish(UnitAttention attention) {
        owner.run(() -> state = state.establish(attention, _ -> true));
    }

    /** Any thread: establishes a unit attention for every nexus that is there but one, which brought it about. */
    public void establishForOthers(UnitAttention attention, Nexus except) {
        owner.run(() -> state = state.establish(attention, nexus -> !nexus.equals(except)));
    }

    /** Any thread: establishes a unit attention for one nexus, if it is there. */
    public void establishFor(UnitAttention attention, Nexus nexus) {
        owner.run(() -> state = state.establish(attention, nexus::equals));
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
        if (stopped && !now) {
            counters.started();
        }
        stopped = now;
    }
}
