package io.jsrpt.scsi;

import io.jsrpt.scsi.Command.Access;
import io.jsrpt.scsi.Command.Scope;
import io.jsrpt.scsi.reservation.ReserveOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The commands by which initiators share a unit: reservations and target port groups. */
final class ReservationCommands {
    static final List<Command> ROWS = rows();

    private ReservationCommands() {
    }

    private static List<Command> rows() {
        List<Command> rows = new ArrayList<>();
        rows.add(Command.of("RESERVE(6)", Scope.UNIT, Access.INFORM, "16 00 00 00 00 00", new ReserveCommand(false)));
        rows.add(Command.of("RELEASE(6)", Scope.UNIT, Access.INFORM, "17 00 00 00 00 00", new ReserveCommand(true)));
        rows.add(Command.of("RESERVE(10)", Scope.UNIT, Access.INFORM, "56 00 00 00 00 00 00 00 00 00",
            new ReserveCommand(false)));
        rows.add(Command.of("RELEASE(10)", Scope.UNIT, Access.INFORM, "57 00 00 00 00 00 00 00 00 00",
            new ReserveCommand(true)));
        for (PersistentReserveInCommand.Action action : PersistentReserveInCommand.Action.values()) {
            rows.add(Command.withServiceAction("PERSISTENT RESERVE IN, " + words(action), Scope.UNIT, Access.INFORM,
                String.format("5E %02X 00 00 00 00 00 FF FF 00", action.ordinal()),
                new PersistentReserveInCommand(action)));
        }
        for (ReserveOut.Action action : ReserveOut.Action.values()) {
            rows.add(Command.withServiceAction("PERSISTENT RESERVE OUT, " + words(action), Scope.UNIT, Access.INFORM,
                String.format("5F %02X FF 00 00 FF FF FF FF 00", action.ordinal()),
                new PersistentReserveOutCommand(action)));
        }
        rows.add(Command.withServiceAction("REPORT TARGET PORT GROUPS", Scope.UNIT, Access.INFORM,
            "A3 EA 00 00 00 00 FF FF FF FF 00 00", new ReportTargetPortGroupsCommand()));
        rows.add(Command.withServiceAction("SET TARGET PORT GROUPS", Scope.UNIT, Access.CHANGE,
            "A4 0A 00 00 00 00 FF FF FF FF 00 00", new SetTargetPortGroupsCommand()));
        return List.copyOf(rows);
    }

    private static String words(Enum<?> action) {
        return action.name().toUpperCase(Locale.ROOT).replace('_', ' ');
    }
}
