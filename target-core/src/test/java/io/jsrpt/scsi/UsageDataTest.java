package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The usage data of REPORT SUPPORTED OPERATION CODES against what the device server looks at: a bit that is 1 there
 * makes a difference to some CDB, or is one of those that are accepted and ignored, which are listed here. (That a bit
 * which is 0 is refused, {@link CommandTableTest} shows.)
 */
class UsageDataTest {
    /** Commands with a range of blocks; the GROUP NUMBER of those is ignored. */
    private static final Set<String> RANGES = Set.of("READ", "WRITE", "VERIFY", "WRITE AND VERIFY", "WRITE SAME",
        "ORWRITE", "PRE-FETCH", "SYNCHRONIZE CACHE", "COMPARE AND WRITE", "UNMAP");
    /** Bits of byte 1 that are ignored. */
    private static final Map<String, Integer> IGNORED = Map.ofEntries(
        // DPO and RARC
        Map.entry("READ", 0x14),
        // DPO
        Map.entry("WRITE", 0x10), Map.entry("VERIFY", 0x10),
        Map.entry("COMPARE AND WRITE", 0x10), Map.entry("ORWRITE", 0x10),
        // DPO; and BYTCHK, which only a store that gives back other bytes than it took lets be seen
        Map.entry("WRITE AND VERIFY", 0x12),
        // IMMED
        Map.entry("PRE-FETCH", 0x02), Map.entry("START STOP UNIT", 0x01),
        // SYNC_NV and IMMED
        Map.entry("SYNCHRONIZE CACHE", 0x06),
        // UNMAP: zeros are unmapped with and without, other data is written with and without
        Map.entry("WRITE SAME", 0x08),
        // PF: there is only one form of list
        Map.entry("SEND DIAGNOSTIC", 0x10));
    /** Commands that a random CDB seldom gets far with. */
    private static final List<String> EXAMPLES = List.of("A3 0C 02 9E 00 10 00 00 10 00 00 00",
        "A3 0C 03 A3 00 0C 00 00 10 00 00 00", "4D 00 42 00 00 00 00 10 00 00", "37 00 1D 00 00 00 00 10 00 00",
        "3B 02 00 00 00 00 00 00 10 00", "A3 0D 80 00 00 00 00 00 00 08 00 00");

    @Test
    void whatIsUsedMakesADifference() {
        Random random = new Random(11);
        List<String> without = new ArrayList<>();
        for (Command command : CommandTable.ALL) {
            byte[] usage = command.usage();
            for (int bit = 8; bit < 8 * usage.length; bit++) {
                boolean action = command.serviceAction() != Command.NO_SERVICE_ACTION && bit >= 11 && bit < 16;
                boolean used = ((usage[bit / 8] << bit % 8) & 0x80) != 0;
                if (used && !action && !isIgnored(command, bit) && !isSeen(command, bit, random)) {
                    without.add(command.name() + ", byte " + bit / 8 + ", bit " + (7 - bit % 8));
                }
            }
        }
        assertEquals(List.of(), without);
    }

    private static boolean isIgnored(Command command, int bit) {
        String family = command.name().replaceAll("\\(.*", "");
        int at = bit / 8;
        int mask = 0x80 >> bit % 8;
        if (command.cdbLength() > 6 && RANGES.contains(family)
                && at == (command.cdbLength() == 10 ? 6 : command.cdbLength() - 2)) {
            return true;
        }
        if (command.name().equals("READ DEFECT DATA(12)")) {
            // the index of a descriptor in lists that have none
            return at >= 2 && at < 6;
        }
        if (family.startsWith("PERSISTENT RESERVE OUT") && at == 2) {
            // scope and type: only with a list of the registered key, which the reservations' own tests have
            return true;
        }
        String row = command.cdbLength() == 6 ? command.name() : family;
        return at == 1 && (IGNORED.getOrDefault(row, 0) & mask) != 0;
    }

    private static boolean isSeen(Command command, int bit, Random random) {
        boolean thin = command.offer() != Command.Offer.FULLY_PROVISIONED;
        for (int i = 0; i < 20_000; i++) {
            byte[] cdb = cdb(command, random);
            byte[] flipped = cdb.clone();
            flipped[bit / 8] ^= (byte) (0x80 >> bit % 8);
            byte[] out = new byte[random.nextInt(4) == 0 ? 0 : 512 << random.nextInt(5)];
            Arrays.fill(out, (byte) random.nextInt(2));
            int room = random.nextInt(3) == 0 ? 0 : 1 << random.nextInt(14);
            if (!outcome(thin, cdb, room, out).equals(outcome(thin, flipped, room, out))) {
                return true;
            }
        }
        return false;
    }

    private static byte[] cdb(Command command, Random random) {
        byte[] usage = command.usage();
        byte[] cdb = new byte[16];
        cdb[0] = usage[0];
        if (command.serviceAction() != Command.NO_SERVICE_ACTION) {
            cdb[1] = (byte) command.serviceAction();
        }
        byte[] start = cdb;
        cdb = EXAMPLES.stream().map(Initiator::bytes).filter(example -> random.nextBoolean()
            && example[0] == start[0] && (command.serviceAction() < 0 || example[1] == start[1]))
            .map(example -> Arrays.copyOf(example, 16)).findAny().orElse(start);
        for (int set = random.nextInt(4); set > 0; set--) {
            int at = random.nextInt(1, usage.length);
            boolean action = at == 1 && command.serviceAction() != Command.NO_SERVICE_ACTION;
            cdb[at] |= (byte) (action ? 0 : (1 << random.nextInt(8)) & usage[at]);
        }
        return cdb;
    }

    /** Everything that a command can bring about. */
    private static String outcome(boolean thin, byte[] cdb, int room, byte[] out) {
        try (ScriptedStore store = new ScriptedStore(thin)) {
            LogicalUnit unit = Units.over(store);
            Initiator initiator = Units.initiator(unit);
            if (cdb[0] == 0x4D) {
                initiator.write(0, "2A 00 00000000 00 0001 00", new byte[Units.BLOCK]).good();
            }
            var answer = initiator.send(0, cdb, 16, TaskAttribute.SIMPLE, room, out);
            String buffer = cdb[0] == 0x3B ? Arrays.toString(unit.buffer().toArray(ValueLayout.JAVA_BYTE)) : "";
            return answer.status() + answer.senseHex() + answer.hex() + answer.residual() + store.calls
                + unit.stopped() + unit.modes() + buffer.hashCode();
        }
    }
}
