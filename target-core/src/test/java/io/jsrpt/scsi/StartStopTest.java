package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jsrpt.store.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartStopTest {
    private static final String STOP = "1B 00 00 00 00 00";
    private static final String START = "1B 01 00 00 01 00";
    private final LogicalUnit unit = Units.over(new MemoryStore(1 << 20, Units.BLOCK));
    private final Initiator initiator = Units.initiator(unit);

    @ParameterizedTest
    @ValueSource(strings = {"00", "28 00 00000000 00 0001 00", "2A 00 00000000 00 0001 00", "2F 00 00000000 00 0001 00",
        "35 00 00000000 00 0000 00"})
    void stoppedUnitsAreNotReadyUntilStarted(String cdb) {
        initiator.send(0, STOP).good();
        byte[] out = new byte[cdb.startsWith("2A") ? 512 : 0];
        assertEquals("2/04/02", send(cdb, out).condition());
        initiator.send(0, START).good();
        send(cdb, out).good();
    }

    private Initiator.Answer send(String cdb, byte[] out) {
        return initiator.send(0, Initiator.bytes(cdb), 16, TaskAttribute.SIMPLE, 512, out);
    }

    @ParameterizedTest
    @ValueSource(strings = {"12 00 00 00 60 00", "A0 00 00 00 00 00 00 00 10 00", "25", "1A 00 3F 00 FF 00"})
    void stoppedUnitsStillDescribeThemselves(String cdb) {
        initiator.send(0, STOP).good();
        initiator.send(0, cdb, 512).good();
    }

    @Test
    void requestSenseTellsOfTheStop() {
        initiator.send(0, "1B 00 00 00 04 00").good();
        assertEquals("700002000000000A00000000040200000000",
            initiator.send(0, "03 00 00 00 FF 00", 255).good().hex());
    }

    @Test
    void resetStarts() {
        initiator.send(0, STOP).good();
        unit.reset();
        initiator.send(0, "00").good();
    }
}
