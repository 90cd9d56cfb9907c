package io.jsrpt.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.scsi.LogicalUnitIdentity;
import io.jsrpt.scsi.LogicalUnitSettings;
import io.jsrpt.store.MemoryStore;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a target can be started with. */
class TargetSettingsTest {
    private static LogicalUnit unit(LogicalUnitSettings settings) {
        return new LogicalUnit(LogicalUnitIdentity.derived("T", "t"), new MemoryStore(1 << 20, 512), settings);
    }

    @Test
    void defaultsFitTogether() {
        LogicalUnit unit = unit(LogicalUnitSettings.defaults(512));
        assertEquals(Map.of(3, unit), TargetSettings.of("t", 1, 5555, Map.of(3, unit)).logicalUnits());
    }

    @Test
    void unitThatAnnouncesMoreThanChannelTakesIsRefused() {
        LogicalUnit unit = unit(LogicalUnitSettings.defaults(512).withMaxTransferBlocks(2049));
        assertEquals("LUN 3 announces transfers of 1049088 bytes, but a channel takes 1048576 at most",
                assertThrows(IllegalArgumentException.class,
                        () -> TargetSettings.of("t", 1, 5555, Map.of(3, unit))).getMessage());
    }
}
