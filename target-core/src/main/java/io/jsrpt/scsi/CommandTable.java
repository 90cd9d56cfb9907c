package io.jsrpt.scsi;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All commands, found by their codes. The rows are in {@link PrimaryCommands}, {@link ReservationCommands} and
 * {@link BlockCommands}. */
final class CommandTable {
    /** By operation code and service action. */
    static final List<Command> ALL = Stream.of(PrimaryCommands.ROWS, ReservationCommands.ROWS, BlockCommands.ROWS)
        .flatMap(List::stream)
        .sorted(Comparator.comparingInt(Command::operationCode).thenComparingInt(Command::serviceAction)).toList();

    private static final Command[][] BY_OPERATION_CODE = index();

    private CommandTable() {
    }

    /**
     * The command that a CDB asks for; null when there is none such.
     *
     * @param unit the unit that is asked; null when the LUN names no unit
     */
    static Command find(Cdb cdb, LogicalUnit unit) {
        Command[] candidates = BY_OPERATION_CODE[cdb.u8(0)];
        if (candidates == null) {
            return null;
        }
        Command first = candidates[0];
        if (candidates.length == 1 && first.serviceAction() == Command.NO_SERVICE_ACTION) {
            return first.offeredBy(unit) ? first : null;
        }
        boolean actions = first.serviceAction() != Command.NO_SERVICE_ACTION;
        return among(candidates, actions ? cdb.u8(1) & Command.SERVICE_ACTION : Command.NO_SERVICE_ACTION, unit);
    }

    /** The command of a unit with exactly these codes; null when there is none such. */
    static Command find(int operationCode, int serviceAction, LogicalUnit unit) {
        Command[] candidates = BY_OPERATION_CODE[operationCode];
        return candidates == null ? null : among(candidates, serviceAction, unit);
    }

    /** Whether a unit tells commands with this operation code apart by a service action. */
    static boolean hasServiceActions(int operationCode, LogicalUnit unit) {
        Command[] candidates = BY_OPERATION_CODE[operationCode];
        if (candidates != null) {
            for (Command candidate : candidates) {
                if (candidate.offeredBy(unit)) {
                    return candidate.serviceAction() != Command.NO_SERVICE_ACTION;
                }
            }
        }
        return false;
    }

    private static Command among(Command[] candidates, int serviceAction, LogicalUnit unit) {
        for (Command candidate : candidates) {
            if (candidate.serviceAction() == serviceAction && candidate.offeredBy(unit)) {
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
