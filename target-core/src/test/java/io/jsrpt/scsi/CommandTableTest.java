package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import org.junit.jupiter.api.Test;

class CommandTableTest {
    @Test
    void everyRowIsFoundByItsCodes() {
        for (Command command : CommandTable.ALL) {
            assertSame(command, CommandTable.find(command.operationCode(), command.serviceAction()), command.name());
        }
    }

    /** SPC-4 4.2.5.1: the group code, the operation code's upper three bits, tells the length. */
    @Test
    void lengthsFitTheGroupCodes() {
        int[] lengths = {6, 10, 10, 0, 16, 12, 0, 0};
        for (Command command : CommandTable.ALL) {
            assertEquals(lengths[command.operationCode() >> 5], command.cdbLength(), command.name());
        }
    }

    @Test
    void inOrder() {
        var sorted = CommandTable.ALL.stream().sorted(Comparator.comparingInt(Command::operationCode)).toList();
        assertEquals(sorted, CommandTable.ALL);
    }

    /** The control byte's NACA bit asks for what is not there: no command accepts it. */
    @Test
    void noCommandAcceptsNaca() {
        for (Command command : CommandTable.ALL) {
            byte[] usage = command.usage();
            assertEquals(0, usage[usage.length - 1], command.name());
        }
    }

    @Test
    void everyCommandRefusesItsFirstReservedBit() {
        for (Command command : CommandTable.ALL) {
            byte[] usage = command.usage();
            byte[] cdb = new byte[Cdb.LENGTH];
            cdb[0] = (byte) command.operationCode();
            cdb[1] = (byte) Math.max(0, command.serviceAction());
            cdb[usage.length - 1] = 0x04;
            var answer = Units.one().send(0, cdb, Cdb.LENGTH, TaskAttribute.SIMPLE, 4096, new byte[0]);
            assertEquals("5/24/00", answer.condition(), command.name());
            assertTrue(answer.senseHex().endsWith(String.format("CA%04X", usage.length - 1)), command.name());
        }
    }
}
