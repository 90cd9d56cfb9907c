package io.jsrpt.scsi;

import io.jsrpt.scsi.Command.Access;
import io.jsrpt.scsi.Command.Scope;
import java.util.List;

/**
 * The commands of SPC-4, and what their CDBs look like. In the usage data a bit is 1 when it is evaluated, or when the
 * standard lets a device server ignore it (DPO, GROUP NUMBER, obsolete bits that old initiators set); reserved bits and
 * what is not supported (protection information, NACA) are 0.
 */
final class PrimaryCommands {
    static final List<Command> ROWS = List.of(
        Command.of("TEST UNIT READY", Scope.ANY_UNIT, Access.INFORM, "00 00 00 00 00 00", new TestUnitReadyCommand()),
        Command.of("REQUEST SENSE", Scope.ANY_LUN, Access.INFORM, "03 01 00 00 FF 00", new RequestSenseCommand()),
        Command.of("INQUIRY", Scope.ANY_LUN, Access.INFORM, "12 01 FF FF FF 00", new InquiryCommand()),
        Command.of("MODE SELECT(6)", Scope.UNIT, Access.CHANGE, "15 10 00 00 FF 00", new ModeSelectCommand(false)),
        Command.of("MODE SELECT(10)", Scope.UNIT, Access.CHANGE, "55 10 00 00 00 00 00 FF FF 00",
            new ModeSelectCommand(true)),
        Command.of("LOG SENSE", Scope.UNIT, Access.INFORM, "4D 00 FF FF 00 FF FF FF FF 00", new LogSenseCommand()),
        Command.of("RECEIVE DIAGNOSTIC RESULTS", Scope.UNIT, Access.READ, "1C 01 FF FF FF 00",
            new ReceiveDiagnosticCommand()),
        Command.of("SEND DIAGNOSTIC", Scope.UNIT, Access.CHANGE, "1D 14 00 FF FF 00", new SendDiagnosticCommand()),
        Command.of("WRITE BUFFER", Scope.UNIT, Access.CHANGE, "3B 1F FF FF FF FF FF FF FF 00",
            new BufferCommand(true)),
        Command.of("READ BUFFER", Scope.UNIT, Access.READ, "3C 1F FF FF FF FF FF FF FF 00", new BufferCommand(false)),
        Command.of("MODE SENSE(6)", Scope.UNIT, Access.READ, "1A 08 FF FF FF 00", new ModeSenseCommand(false)),
        Command.of("MODE SENSE(10)", Scope.UNIT, Access.READ, "5A 18 FF FF 00 00 00 FF FF 00",
            new ModeSenseCommand(true)),
        Command.of("REPORT LUNS", Scope.ANY_LUN, Access.INFORM, "A0 00 FF 00 00 00 FF FF FF FF 00 00",
            new ReportLunsCommand()),
        Command.withServiceAction("REPORT SUPPORTED OPERATION CODES", Scope.UNIT, Access.READ,
            "A3 0C 87 FF FF FF FF FF FF FF 00 00", new ReportOperationCodesCommand()),
        Command.withServiceAction("REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS", Scope.UNIT, Access.READ,
            "A3 0D 80 00 00 00 FF FF FF FF 00 00", new ReportTaskManagementCommand()),
        Command.withServiceAction("REPORT TIMESTAMP", Scope.UNIT, Access.INFORM, "A3 0F 00 00 00 00 FF FF FF FF 00 00",
            new ReportTimestampCommand()));

    private PrimaryCommands() {
    }
}
