package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.store.MemoryStore;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitAttentionTest {
    private static final Nexus ONE = new Nexus(1, 1, 9, 9);
    private static final Nexus TWO = new Nexus(1, 2, 9, 9);
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";
    private static final String REQUEST_SENSE = "03 00 00 00 FF 00";
    private static final String INQUIRY = "12 00 00 00 FF 00";
    private static final String REPORT_LUNS = "A0 00 00 00 00 00 00 00 00 FF 00 00";

    private final LogicalUnit unit = Units.over(new MemoryStore(1 << 20, 512));
    private final Initiator one = new Initiator(new DeviceServer(Map.of(0, unit)), ONE);
    private final Initiator two = new Initiator(new DeviceServer(Map.of(0, unit)), TWO);

    @BeforeEach
    void attach() {
        for (Initiator initiator : new Initiator[] {one, two}) {
            unit.attach(initiator.nexus(), UnitAttention.POWER_ON_OR_RESET);
            assertEquals("6/29/00", initiator.send(0, TEST_UNIT_READY).condition());
            initiator.send(0, TEST_UNIT_READY).good();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isToldOnceToEachNexus(UnitAttention attention) {
        unit.establish(attention);
        for (Initiator initiator : new Initiator[] {one, two}) {
            String told = initiator.send(0, TEST_UNIT_READY).condition();
            assertEquals(String.format("6/%02X/%02X", attention.sense.code, attention.sense.qualifier), told);
            initiator.send(0, TEST_UNIT_READY).good();
        }
        assertTrue(!unit.state().attention(), "the state is quiet again");
    }

    @Test
    void isNotToldToTheNexusThatBroughtItAbout() {
        unit.establishForOthers(UnitAttention.MODE_PARAMETERS_CHANGED, ONE);
        one.send(0, TEST_UNIT_READY).good();
        assertEquals("6/2A/01", two.send(0, TEST_UNIT_READY).condition());
    }

    @Test
    void inTheOrderOfTheirComing() {
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        unit.establish(UnitAttention.MODE_PARAMETERS_CHANGED);
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        assertEquals("6/2A/09", one.send(0, TEST_UNIT_READY).condition());
        assertEquals("6/2A/01", one.send(0, TEST_UNIT_READY).condition());
        one.send(0, TEST_UNIT_READY).good();
    }

    @Test
    void againAfterItWasTold() {
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        assertEquals("6/2A/09", one.send(0, TEST_UNIT_READY).condition());
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        assertEquals("6/2A/09", one.send(0, TEST_UNIT_READY).condition());
        assertEquals("6/2A/09", two.send(0, TEST_UNIT_READY).condition());
        two.send(0, TEST_UNIT_READY).good();
    }

    @Test
    void resetSupersedesAllThatWasToBeTold() {
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        unit.reset();
        unit.establish(UnitAttention.MODE_PARAMETERS_CHANGED);
        assertEquals("6/29/03", one.send(0, TEST_UNIT_READY).condition());
        assertEquals("6/2A/01", one.send(0, TEST_UNIT_READY).condition());
        one.send(0, TEST_UNIT_READY).good();
    }

    /** SAM-5 5.14.3. */
    @ParameterizedTest
    @ValueSource(strings = {INQUIRY, REPORT_LUNS})
    void staysPendingWhileTheUnitIsDiscovered(String cdb) {
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        one.send(0, cdb, 255).good();
        assertEquals("6/2A/09", one.send(0, TEST_UNIT_READY).condition());
    }

    @Test
    void requestSenseTellsItAsData() {
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        byte[] data = one.send(0, REQUEST_SENSE, 255).good().data();
        assertEquals(6, data[2]);
        assertEquals(0x2A, data[12]);
        assertEquals(0x09, data[13]);
        assertEquals(0, one.send(0, REQUEST_SENSE, 255).good().data()[2]);
        one.send(0, TEST_UNIT_READY).good();
    }

    @Test
    void reportLunsClearsItsOwnAttentionOnly() {
        unit.establish(UnitAttention.REPORTED_LUNS_CHANGED);
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        one.send(0, REPORT_LUNS, 255).good();
        assertEquals("6/2A/09", one.send(0, TEST_UNIT_READY).condition());
        one.send(0, TEST_UNIT_READY).good();
    }

    @Test
    void isToldBeforeTheCommandIsLookedAt() {
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        assertEquals("6/2A/09", one.send(0, "FF 00 00 00 00 00").condition());
        assertEquals("5/20/00", one.send(0, "FF 00 00 00 00 00").condition());
    }

    @Test
    void aLostNexusComesBackAsNew() {
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        unit.nexusLost(ONE);
        one.send(0, TEST_UNIT_READY).good();
        unit.attach(ONE, UnitAttention.POWER_ON_OR_RESET);
        assertEquals("6/29/00", one.send(0, TEST_UNIT_READY).condition());
        one.send(0, TEST_UNIT_READY).good();
        unit.attach(ONE, UnitAttention.POWER_ON_OR_RESET);
        one.send(0, TEST_UNIT_READY).good();
    }
}
