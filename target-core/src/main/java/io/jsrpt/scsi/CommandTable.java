package io.jsrpt.scsi;

import java.util.List;

/**
 * The commands, and nothing else about them than what their CDBs look like. In the usage data a bit is 1 when it is
 * evaluated, or when the standard lets a device server ignore it (DPO, GROUP NUMBER, obsolete bits that old initiators
 * set); reserved bits and what is not supported (protection information, NACA) are 0.
 */
final class CommandTable {
    static final List<Command> ALL = List.of(
        Command.of("TEST UNIT READY", Command.Scope.ANY_UNIT, "00 00 00 00 00 00", new TestUnitReadyCommand()),
        Command.of("READ(6)", Command.Scope.MEDIUM, "08 1F FF FF FF 00", new ReadCommand(CdbLayout.SIX)),
        Command.of("WRITE(6)", Command.Scope.MEDIUM, "0A 1F FF FF FF 00", new WriteCommand(CdbLayout.SIX)),
        Command.of("READ(10)", Command.Scope.MEDIUM, "28 1E FF FF FF FF 3F FF FF 00", new ReadCommand(CdbLayout.TEN)),
        Command.of("WRITE(10)", Command.Scope.MEDIUM, "2A 1A FF FF FF FF 3F FF FF 00",
            new WriteCommand(CdbLayout.TEN)),
        Command.of("READ(16)", Command.Scope.MEDIUM, "88 1E FF FF FF FF FF FF FF FF FF FF FF FF 3F 00",
            new ReadCommand(CdbLayout.SIXTEEN)),
        Command.of("WRITE(16)", Command.Scope.MEDIUM, "8A 1A FF FF FF FF FF FF FF FF FF FF FF FF 3F 00",
            new WriteCommand(CdbLayout.SIXTEEN)),
        Command.of("READ(12)", Command.Scope.MEDIUM, "A8 1E FF FF FF FF FF FF FF FF 3F 00",
            new ReadCommand(CdbLayout.TWELVE)),
        Command.of("WRITE(12)", Command.Scope.MEDIUM, "AA 1A FF FF FF FF FF FF FF FF 3F 00",
            new WriteCommand(CdbLayout.TWELVE)));

    private static final Command[][] BY_OPERATION_CODE = index();

    private CommandTable() {
    }

    /** The command that a CDB asks for; null when there is none such. */
    static Command find(Cdb cdb) {
        Command[] candidates = BY_OPERATION_CODE[cdb.u8(0)];
        if (candidates == null) {
            return null;
        }
        Command first = candidates[0];
        if (first.serviceAction() == Command.NO_SERVICE_ACTION) {
            return first;
        }
        return withServiceAction(candidates, cdb.u8(1) & 0x1F);
    }

    /** Whether commands with this operation code are told apart by a service action. */
    static boolean hasServiceActions(int operationCode) {
        Command[] candidates = BY_OPERATION_CODE[operationCode];
        return candidates != null && candidates[0].serviceAction() != Command.NO_SERVICE_ACTION;
    }

    private static Command withServiceAction(Command[] candidates, int serviceAction) {
        for (Command candidate : candidates) {
            if (candidate.serviceAction() == serviceAction) {
                return candidate;
            }
        }
        return null;
    }

    private static Command[][] index() {
        Command[][] index = new Command[256][];
        for (Command command : ALL) {
            Command[] before = index[command.operationCode()];
            int count = before == null ? 0 : before.length;
            Command[] now = new Command[count + 1];
            if (count > 0) {
                System.arraycopy(before, 0, now, 0, count);
            }
            now[count] = command;
            index[command.operationCode()] = now;
        }
        return index;
    }
}
