package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CommandTableTest {
    @Test
    void everyRowIsFoundByItsCodes() {
        for (Command command : CommandTable.ALL) {
            assertSame(command, CommandTable.find(command.operationCode(), command.serviceAction(),
                Units.offering(command)), command.name());
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
    void inOrderAndWithoutDoubles() {
        List<Command> all = CommandTable.ALL;
        for (int i = 1; i < all.size(); i++) {
            int before = order(all.get(i - 1));
            int now = order(all.get(i));
            boolean apart = !all.get(i).offeredBy(Units.offering(all.get(i - 1)));
            assertTrue(before < now || (before == now && apart), all.get(i).name());
        }
    }

    private static int order(Command command) {
        return (command.operationCode() << 8) | Math.max(0, command.serviceAction());
    }

    /** The control byte's NACA bit asks for what is not there: no command accepts it. */
    @Test
    void noCommandAcceptsNaca() {
        for (Command command : CommandTable.ALL) {
            byte[] usage = command.usage();
            assertEquals(0, usage[usage.length - 1], command.name());
        }
    }

    /** Every bit outside the usage data is refused, with a pointer to the leftmost bit of the field that it is in. */
    @Test
    void everyReservedBitIsRefused() {
        for (Command command : CommandTable.ALL) {
            byte[] usage = command.usage();
            Initiator initiator = Units.initiator(Units.offering(command));
            for (int bit = 8; bit < 8 * usage.length; bit++) {
                boolean action = command.serviceAction() != Command.NO_SERVICE_ACTION && bit >= 11 && bit < 16;
                if (!action && !uses(usage, bit)) {
                    byte[] cdb = new byte[Cdb.LENGTH];
                    cdb[0] = (byte) command.operationCode();
                    cdb[1] = (byte) Math.max(0, command.serviceAction());
                    cdb[bit / 8] |= (byte) (0x80 >> bit % 8);
                    var answer = initiator.send(0, cdb, Cdb.LENGTH, TaskAttribute.SIMPLE, 4096, new byte[0]);
                    String what = command.name() + ", bit " + bit;
                    assertEquals("5/24/00", answer.condition(), what);
                    int pointer = 0xC80000 | ((7 - leftmost(command, usage, bit) % 8) << 16) | bit / 8;
                    assertTrue(answer.senseHex().endsWith(String.format("%06X", pointer)), what);
                }
            }
        }
    }

    private static boolean uses(byte[] usage, int bit) {
        return ((usage[bit / 8] << bit % 8) & 0x80) != 0;
    }

    /** Reserved bits side by side are one field; those of the control byte each stand for themselves. */
    private static int leftmost(Command command, byte[] usage, int bit) {
        int left = bit;
        boolean actions = command.serviceAction() != Command.NO_SERVICE_ACTION;
        while (left % 8 != 0 && left / 8 != usage.length - 1 && !uses(usage, left - 1)
                && !(actions && left - 1 >= 11 && left - 1 < 16)) {
            left--;
        }
        return left;
    }
}
