package io.jsrpt.scsi;

import io.jsrpt.scsi.Command.Scope;
import java.util.List;

/**
 * The commands, and nothing else about them than what their CDBs look like. In the usage data a bit is 1 when it is
 * evaluated, or when the standard lets a device server ignore it (DPO, GROUP NUMBER, obsolete bits that old initiators
 * set); reserved bits and what is not supported (protection information, NACA) are 0.
 */
final class CommandTable {
    static final List<Command> ALL = List.of(
        Command.of("TEST UNIT READY", Scope.ANY_UNIT, "00 00 00 00 00 00", new TestUnitReadyCommand()),
        Command.of("REQUEST SENSE", Scope.ANY_LUN, "03 01 00 00 FF 00", new RequestSenseCommand()),
        Command.of("READ(6)", Scope.MEDIUM, "08 1F FF FF FF 00", new ReadCommand(CdbLayout.SIX)),
        Command.of("WRITE(6)", Scope.MEDIUM, "0A 1F FF FF FF 00", new WriteCommand(CdbLayout.SIX)),
        Command.of("INQUIRY", Scope.ANY_LUN, "12 01 FF FF FF 00", new InquiryCommand()),
        Command.of("MODE SENSE(6)", Scope.UNIT, "1A 08 FF FF FF 00", new ModeSenseCommand(false)),
        Command.of("START STOP UNIT", Scope.UNIT, "1B 01 00 00 F7 00", new StartStopUnitCommand()),
        Command.of("READ CAPACITY(10)", Scope.UNIT, "25 00 FF FF FF FF 00 00 01 00", new ReadCapacityCommand(false)),
        Command.of("READ(10)", Scope.MEDIUM, "28 1E FF FF FF FF 3F FF FF 00", new ReadCommand(CdbLayout.TEN)),
        Command.of("WRITE(10)", Scope.MEDIUM, "2A 1A FF FF FF FF 3F FF FF 00", new WriteCommand(CdbLayout.TEN)),
        Command.of("VERIFY(10)", Scope.MEDIUM, "2F 16 FF FF FF FF 3F FF FF 00", new VerifyCommand(CdbLayout.TEN)),
        Command.of("SYNCHRONIZE CACHE(10)", Scope.MEDIUM, "35 06 FF FF FF FF 3F FF FF 00",
            new SynchronizeCacheCommand(CdbLayout.TEN)),
        Command.of("MODE SENSE(10)", Scope.UNIT, "5A 18 FF FF 00 00 00 FF FF 00", new ModeSenseCommand(true)),
        Command.of("READ(16)", Scope.MEDIUM, "88 1E FF FF FF FF FF FF FF FF FF FF FF FF 3F 00",
            new ReadCommand(CdbLayout.SIXTEEN)),
        Command.of("WRITE(16)", Scope.MEDIUM, "8A 1A FF FF FF FF FF FF FF FF FF FF FF FF 3F 00",
            new WriteCommand(CdbLayout.SIXTEEN)),
        Command.of("VERIFY(16)", Scope.MEDIUM, "8F 16 FF FF FF FF FF FF FF FF FF FF FF FF 3F 00",
            new VerifyCommand(CdbLayout.SIXTEEN)),
        Command.of("SYNCHRONIZE CACHE(16)", Scope.MEDIUM, "91 06 FF FF FF FF FF FF FF FF FF FF FF FF 3F 00",
            new SynchronizeCacheCommand(CdbLayout.SIXTEEN)),
        Command.withServiceAction("READ CAPACITY(16)", Scope.UNIT, "9E 10 FF FF FF FF FF FF FF FF FF FF FF FF 01 00",
            new ReadCapacityCommand(true)),
        Command.of("REPORT LUNS", Scope.ANY_LUN, "A0 00 FF 00 00 00 FF FF FF FF 00 00", new ReportLunsCommand()),
        Command.withServiceAction("REPORT SUPPORTED OPERATION CODES", Scope.UNIT, "A3 0C 87 FF FF FF FF FF FF FF 00 00",
            new ReportOperationCodesCommand()),
        Command.of("READ(12)", Scope.MEDIUM, "A8 1E FF FF FF FF FF FF FF FF 3F 00", new ReadCommand(CdbLayout.TWELVE)),
        Command.of("WRITE(12)", Scope.MEDIUM, "AA 1A FF FF FF FF FF FF FF FF 3F 00",
            new WriteCommand(CdbLayout.TWELVE)),
        Command.of("VERIFY(12)", Scope.MEDIUM, "AF 16 FF FF FF FF FF FF FF FF 3F 00",
            new VerifyCommand(CdbLayout.TWELVE)));

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
        return withServiceAction(candidates, cdb.u8(1) & Command.SERVICE_ACTION);
    }

    /** The command with exactly these codes; null when there is none such. */
    static Command find(int operationCode, int serviceAction) {
        Command[] candidates = BY_OPERATION_CODE[operationCode];
        return candidates == null ? null : withServiceAction(candidates, serviceAction);
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
