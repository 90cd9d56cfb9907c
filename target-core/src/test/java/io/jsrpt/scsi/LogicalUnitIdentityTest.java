package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogicalUnitIdentityTest {
    private static final String NAA = "60000000000000000000000000000001";

    /** Fixed values: a change of the derivation would give every exported disk a new name. */
    @Test
    void derivedFromTheNameAlone() {
        LogicalUnitIdentity identity = LogicalUnitIdentity.derived("DISK", "target/0");
        assertEquals(identity, LogicalUnitIdentity.derived("DISK", "target/0"));
        assertEquals(identity.naa().substring(16), identity.serial());
        assertEquals("6000000a12e64eeb4dba35bc13a5d3ae", identity.naa());
        assertNotEquals(identity.naa(), LogicalUnitIdentity.derived("DISK", "target/1").naa());
    }

    @Test
    void separatorsInTheNaaAreIgnored() {
        String naa = "60:00-00000000000000000000000000AB";
        assertEquals("600000000000000000000000000000ab", new LogicalUnitIdentity("V", "P", "1", "S", naa).naa());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6", "50000000000000000000000000000001", "6000000000000000000000000000000g",
        "600000000000000000000000000000011"})
    void wrongNaa(String naa) {
        assertThrows(IllegalArgumentException.class, () -> new LogicalUnitIdentity("V", "P", "1", "S", naa));
    }

    @ParameterizedTest
    @CsvSource({
        "VENDOR-TO, P, 1, S, vendor",
        "'', P, 1, S, vendor",
        "'  ', P, 1, S, vendor",
        "V, PRODUCT-TOO-LONG-, 1, S, product",
        "V, Prüfling, 1, S, product",
        "V, P, 00001, S, revision",
        "V, P, 1, '', serial number",
        "V, P, 1, 'S\t', serial number"})
    void wrongText(String vendor, String product, String revision, String serial, String named) {
        String message = assertThrows(IllegalArgumentException.class,
            () -> new LogicalUnitIdentity(vendor, product, revision, serial, NAA)).getMessage();
        assertTrue(message.contains(named), message);
    }
}
