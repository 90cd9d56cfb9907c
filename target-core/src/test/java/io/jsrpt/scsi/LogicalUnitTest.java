package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jsrpt.store.MemoryStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogicalUnitTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0, 1, 0",
        "4294967296, 0, 0, 0, 0, 1, 0",
        "8, 9, 0, 0, 0, 1, 0",
        "8, -1, 0, 0, 0, 1, 0",
        "8, 0, 65536, 0, 0, 1, 0",
        "8, 0, 0, 16, 0, 1, 0",
        "8, 0, 0, 0, 2, 1, 0",
        "8, 0, 0, 0, 1024, 1, 0",
        "8, 0, 0, 0, 65535, 1, 0",
        "8, 0, 0, 0, 0, 0, 0",
        "8, 0, 0, 0, 0, 65536, 0",
        "8, 0, 0, 0, 0, 1, 65536"})
    void settingsOutOfRange(long max, long optimal, int granularity, int exponent, int rate, int port, int group) {
        assertThrows(IllegalArgumentException.class,
            () -> new LogicalUnitSettings(max, optimal, granularity, exponent, rate, true, false, port, group));
    }

    @ParameterizedTest
    @CsvSource({"512, 2048, 3", "4096, 256, 0", "8192, 128, 0"})
    void defaults(int blockSize, long max, int exponent) {
        LogicalUnitSettings settings = LogicalUnitSettings.defaults(blockSize);
        assertEquals(max, settings.maxTransferBlocks());
        assertEquals(exponent, settings.physicalBlockExponent());
    }

    @Test
    void transferThatFitsNoBuffer() {
        MemoryStore store = new MemoryStore(1 << 20, 512);
        LogicalUnitSettings most = LogicalUnitSettings.defaults(512).withMaxTransferBlocks(0x3F_FFFF);
        assertEquals(1 << 20, new LogicalUnit(Units.IDENTITY, store, most).bytes(2048));
        assertThrows(IllegalArgumentException.class,
            () -> new LogicalUnit(Units.IDENTITY, store, most.withMaxTransferBlocks(0x40_0000)));
    }

    @Test
    void numbersOutOfRange() {
        LogicalUnit unit = Units.over(new MemoryStore(1 << 20, 512));
        assertThrows(IllegalArgumentException.class, () -> new DeviceServer(Map.of(-1, unit)));
        assertThrows(IllegalArgumentException.class, () -> new DeviceServer(Map.of(0x4000, unit)));
    }
}
