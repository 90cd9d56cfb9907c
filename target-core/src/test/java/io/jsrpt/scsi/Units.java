package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.store.BlockStore;
import io.jsrpt.store.MemoryStore;
import java.util.Map;

/** Logical units for tests. */
final class Units {
    static final int BLOCK = 512;
    /** The unit of {@link #one} has this many blocks. */
    static final int BLOCKS = 0x1000;
    static final long LUN_0 = 0;
    private static final int MAX_TRANSFER = 8 << 20;
    static final long UNKNOWN_LUN = Lun.encode(9);
    static final LogicalUnitIdentity IDENTITY = new LogicalUnitIdentity("JSRPT", "DISK", "0001", "S-0001",
        "60000000000000000000000000000001");

    private Units() {
    }

    static LogicalUnitSettings settings() {
        return settings(BLOCK);
    }

    private static LogicalUnitSettings settings(int blockSize) {
        return LogicalUnitSettings.defaults(blockSize).withMaxTransferBlocks(MAX_TRANSFER / blockSize);
    }

    static LogicalUnit over(BlockStore store) {
        return new LogicalUnit(IDENTITY, store, settings(store.blockSize()));
    }

    /** A unit that has a command. */
    static LogicalUnit offering(Command command) {
        BlockStore store = new MemoryStore((long) BLOCKS * BLOCK, BLOCK);
        boolean full = command.offer() == Command.Offer.FULLY_PROVISIONED;
        LogicalUnit unit = over(full ? new ScriptedStore() : store);
        assertTrue(command.offeredBy(unit), command.name());
        return unit;
    }

    static Initiator initiator(LogicalUnit unit) {
        return new Initiator(new DeviceServer(Map.of(0, unit)));
    }

    /** An initiator of a target with LUN 0 of 2 MiB. */
    static Initiator one() {
        return initiator(over(new MemoryStore((long) BLOCKS * BLOCK, BLOCK)));
    }
}
