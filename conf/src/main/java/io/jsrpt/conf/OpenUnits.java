package io.jsrpt.conf;

import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.scsi.LogicalUnitIdentity;
import io.jsrpt.scsi.LogicalUnitSettings;
import io.jsrpt.scsi.reservation.ReservationFile;
import io.jsrpt.store.BlockStore;
import io.jsrpt.store.FileStore;
import io.jsrpt.store.MemoryStore;
import io.jsrpt.store.StoreException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The logical units of a configuration, with their stores open.
 *
 * @param byNumber the units by logical unit number
 */
record OpenUnits(Map<Integer, LogicalUnit> byNumber) implements AutoCloseable {
    /** Solid-state, SBC-4 table 239. */
    private static final int NON_ROTATING = 1;

    /**
     * Opens all stores, or none.
     *
     * @throws StartException naming the unit whose store cannot be opened
     */
    static OpenUnits open(List<UnitConfiguration> units, int maxTransfer) throws StartException {
        OpenUnits opened = new OpenUnits(new LinkedHashMap<>());
        try {
            for (UnitConfiguration unit : units) {
                opened.byNumber.put(unit.lun(), open(unit, maxTransfer));
            }
            return opened;
        } catch (StartException e) {
            opened.close();
            throw e;
        }
    }

    private static LogicalUnit open(UnitConfiguration unit, int maxTransfer) throws StartException {
        LogicalUnitIdentity identity = new LogicalUnitIdentity(unit.vendor(), unit.product(), unit.revision(),
            unit.serial(), unit.naa());
        int blocksInPhysical = unit.physicalBlockSize() / unit.blockSize();
        LogicalUnitSettings settings = new LogicalUnitSettings(maxTransfer / unit.blockSize(), 0, blocksInPhysical,
            Integer.numberOfTrailingZeros(blocksInPhysical), NON_ROTATING, unit.writeCache(), unit.readOnly(), 1, 1);
        BlockStore store = store(unit);
        try {
            LogicalUnit opened = new LogicalUnit(identity, store, settings);
            keepReservations(opened, unit);
            return opened;
        } catch (StartException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** A unit whose reservations cannot be read is not served: it would let in whom they keep out. */
    private static void keepReservations(LogicalUnit opened, UnitConfiguration unit) throws StartException {
        if (unit.medium() instanceof UnitConfiguration.File file && file.reservations().isPresent()) {
            try {
                opened.keepReservations(new ReservationFile(file.reservations().get(), "naa." + unit.naa()));
            } catch (IOException e) {
                throw new StartException("LUN " + unit.lun() + ": " + e.getMessage()
                    + "; put it right, or delete it if no initiator counts on a reservation", e);
            }
        }
    }

    private static BlockStore store(UnitConfiguration unit) throws StartException {
        try {
            return switch (unit.medium()) {
                case UnitConfiguration.Memory memory -> new MemoryStore(memory.size(), unit.blockSize());
                case UnitConfiguration.File file -> FileStore.open(file.path(),
                    file.size().map(OptionalLong::of).orElseGet(OptionalLong::empty), unit.blockSize(), unit.readOnly(),
                    file.threads());
            };
        } catch (StoreException e) {
            throw new StartException("LUN " + unit.lun() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        byNumber.values().forEach(unit -> unit.store().close());
    }
}
