package io.jsrpt.scsi;

import io.jsrpt.scsi.Command.Access;
import io.jsrpt.scsi.Command.Offer;
import io.jsrpt.scsi.Command.Scope;
import java.util.ArrayList;
import java.util.List;

/** The commands of SBC-3; the usage data is as in {@link PrimaryCommands}. */
final class BlockCommands {
    private static final String RANGE_10 = " FF FF FF FF 3F FF FF 00";
    private static final String RANGE_12 = " FF FF FF FF FF FF FF FF 3F 00";
    private static final String RANGE_16 = " FF FF FF FF FF FF FF FF FF FF FF FF 3F 00";

    static final List<Command> ROWS = rows();

    private BlockCommands() {
    }

    private static List<Command> rows() {
        List<Command> rows = new ArrayList<>();
        rows.add(Command.of("READ(6)", Scope.MEDIUM, Access.READ, "08 1F FF FF FF 00",
            new ReadCommand(CdbLayout.SIX)));
        rows.add(Command.of("WRITE(6)", Scope.MEDIUM, Access.WRITE, "0A 1F FF FF FF 00",
            new WriteCommand(CdbLayout.SIX)));
        addRange(rows, "READ", Access.READ, new String[] {"28 1E", "A8 1E", "88 1E"}, ReadCommand::new);
        addRange(rows, "WRITE", Access.WRITE, new String[] {"2A 1A", "AA 1A", "8A 1A"}, WriteCommand::new);
        addRange(rows, "VERIFY", Access.READ, new String[] {"2F 16", "AF 16", "8F 16"}, VerifyCommand::new);
        addRange(rows, "WRITE AND VERIFY", Access.WRITE, new String[] {"2E 12", "AE 12", "8E 12"},
            WriteAndVerifyCommand::new);
        addRange(rows, "PRE-FETCH", Access.READ, new String[] {"34 02", "", "90 02"}, PreFetchCommand::new);
        addRange(rows, "SYNCHRONIZE CACHE", Access.CHANGE, new String[] {"35 06", "", "91 06"},
            SynchronizeCacheCommand::new);
        rows.add(Command.of("COMPARE AND WRITE", Scope.MEDIUM, Access.READ_MODIFY_WRITE,
            "89 18 FF FF FF FF FF FF FF FF 00 00 00 FF 3F 00", new CompareAndWriteCommand()));
        rows.add(Command.of("ORWRITE(16)", Scope.MEDIUM, Access.READ_MODIFY_WRITE, "8B 1A" + RANGE_16,
            new OrWriteCommand()));
        addProvisioning(rows);
        rows.add(Command.of("START STOP UNIT", Scope.UNIT, Access.CHANGE, "1B 01 00 00 F7 00",
            new StartStopUnitCommand()));
        rows.add(Command.of("READ CAPACITY(10)", Scope.UNIT, Access.INFORM, "25 00 FF FF FF FF 00 00 01 00",
            new ReadCapacityCommand(false)));
        rows.add(Command.withServiceAction("READ CAPACITY(16)", Scope.UNIT, Access.INFORM,
            "9E 10 FF FF FF FF FF FF FF FF FF FF FF FF 01 00", new ReadCapacityCommand(true)));
        rows.add(Command.of("READ DEFECT DATA(10)", Scope.MEDIUM, Access.READ, "37 00 1F 00 00 00 00 FF FF 00",
            new ReadDefectDataCommand(false)));
        rows.add(Command.of("READ DEFECT DATA(12)", Scope.MEDIUM, Access.READ, "B7 1F FF FF FF FF FF FF FF FF 00 00",
            new ReadDefectDataCommand(true)));
        return List.copyOf(rows);
    }

    private static void addProvisioning(List<Command> rows) {
        WriteSameCommand same10 = new WriteSameCommand(CdbLayout.TEN);
        WriteSameCommand same16 = new WriteSameCommand(CdbLayout.SIXTEEN);
        rows.add(Command.of("WRITE SAME(10)", Scope.MEDIUM, Access.WRITE, "41 08" + RANGE_10, same10)
            .offered(Offer.THIN));
        rows.add(Command.of("WRITE SAME(10)", Scope.MEDIUM, Access.WRITE, "41 00" + RANGE_10, same10)
            .offered(Offer.FULLY_PROVISIONED));
        rows.add(Command.of("WRITE SAME(16)", Scope.MEDIUM, Access.WRITE, "93 09" + RANGE_16, same16)
            .offered(Offer.THIN));
        rows.add(Command.of("WRITE SAME(16)", Scope.MEDIUM, Access.WRITE, "93 01" + RANGE_16, same16)
            .offered(Offer.FULLY_PROVISIONED));
        rows.add(Command.of("UNMAP", Scope.MEDIUM, Access.WRITE, "42 00 00 00 00 00 3F FF FF 00", new UnmapCommand())
            .offered(Offer.THIN));
        rows.add(Command.withServiceAction("GET LBA STATUS", Scope.MEDIUM, Access.READ,
            "9E 12 FF FF FF FF FF FF FF FF FF FF FF FF 00 00", new GetLbaStatusCommand()).offered(Offer.THIN));
    }

    /** A row for each length of CDB that has a range of blocks: 10, 12 and 16, where a start is given. */
    private static void addRange(List<Command> rows, String name, Access access, String[] starts, Handler handler) {
        add(rows, name + "(10)", access, starts[0], RANGE_10, handler.of(CdbLayout.TEN));
        add(rows, name + "(12)", access, starts[1], RANGE_12, handler.of(CdbLayout.TWELVE));
        add(rows, name + "(16)", access, starts[2], RANGE_16, handler.of(CdbLayout.SIXTEEN));
    }

    private static void add(List<Command> rows, String name, Access access, String start, String range,
            CommandHandler handler) {
        if (!start.isEmpty()) {
            rows.add(Command.of(name, Scope.MEDIUM, access, start + range, handler));
        }
    }

    /** Makes the handler for a layout. */
    private interface Handler {
        CommandHandler of(CdbLayout layout);
    }
}
