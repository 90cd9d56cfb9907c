package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one session sees of a target: a map from logical unit numbers to logical units, and the commands on them.
 * Immutable, so that every channel of the session may use it at once; changing what a session sees is giving it another
 * device server.
 */
public final class DeviceServer {
    private static final int REQUEST_SENSE = 0x03;
    private static final int INQUIRY = 0x12;
    private static final int REPORT_LUNS = 0xA0;

    private static final LogicalUnit[] NO_UNITS = new LogicalUnit[0];

    private final LogicalUnit[] units;
    private final int[] numbers;

    /**
     * A view of the given units.
     *
     * @param map logical unit numbers, 0 to {@link Lun#MAX_NUMBER}, with their units
     * @throws IllegalArgumentException when a number is outside that range
     */
    public DeviceServer(Map<Integer, LogicalUnit> map) {
        TreeMap<Integer, LogicalUnit> sorted = new TreeMap<>(map);
        if (!sorted.isEmpty() && (sorted.firstKey() < 0 || sorted.lastKey() > Lun.MAX_NUMBER)) {
            throw new IllegalArgumentException("logical unit numbers are 0 to " + Lun.MAX_NUMBER);
        }
        units = sorted.isEmpty() ? NO_UNITS : new LogicalUnit[sorted.lastKey() + 1];
        sorted.forEach((number, unit) -> units[number] = unit);
        numbers = sorted.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Parses and checks a command.
     *
     * @param task free: its last command has its result
     * @param lun the 8 bytes of the LUN, as a big-endian integer
     * @param cdbMemory holds the CDB, which is copied
     * @param cdbLength how many bytes of CDB the initiator sent
     * @param dataInRoom the length in bytes of the initiator's data-in buffer
     * @param dataOutLength the length in bytes of the initiator's data-out buffer
     * @return what the command needs; after {@link ScsiTask.Phase#COMPLETE} the task has its result
     */
    public ScsiTask.Phase begin(ScsiTask task, Nexus nexus, long lun, MemorySegment cdbMemory, long cdbOffset,
            int cdbLength, TaskAttribute attribute, long dataInRoom, long dataOutLength) {
        task.start(nexus, attribute, dataInRoom, dataOutLength);
        task.cdb.load(cdbMemory, cdbOffset, cdbLength);
        address(task, lun);
        return task.in(check(task));
    }

    /**
     * Executes a begun command.
     *
     * @param buffer of {@link ScsiTask#bufferLength} bytes; the device server's until the completion. For
     *     {@link ScsiTask.Phase#NO_DATA} it is not used
     * @param completion called once, from within this call or later from a store's thread
     */
    public void execute(ScsiTask task, MemorySegment buffer, TaskCompletion completion) {
        task.run(buffer, completion);
        Command command = task.command;
        if (isExcludedMeanwhile(task)) {
            task.finishConflict();
        } else if (!command.access().writes() || task.unit.gate().enter(task)) {
            command.handler().execute(task);
        }
    }

    /**
     * Ends a command that the transport cannot carry out, for example for its data buffer descriptors: CHECK CONDITION
     * with ILLEGAL REQUEST, invalid field in command information unit. Afterwards the task has its result.
     *
     * @param task free: its last command has its result, or it was begun and not executed
     * @param dataInRoom the length in bytes of the initiator's data-in buffer, as far as it is known
     * @param dataOutLength the same for the data-out buffer
     */
    public void refuse(ScsiTask task, Nexus nexus, long dataInRoom, long dataOutLength) {
        task.start(nexus, TaskAttribute.SIMPLE, dataInRoom, dataOutLength);
        task.in(task.fail(SenseCondition.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT));
    }

    /** The logical unit that a LUN of 8 bytes, as a big-endian integer, names; empty when it names none. */
    public Optional<LogicalUnit> unit(long lun) {
        int number = Lun.decode(lun);
        return number >= 0 && number < units.length ? Optional.ofNullable(units[number]) : Optional.empty();
    }

    /** The mapped logical unit numbers, ascending. */
    int[] numbers() {
        return numbers;
    }

    private void address(ScsiTask task, long lun) {
        int number = Lun.decode(lun);
        if (number >= 0 && number < units.length && units[number] != null) {
            task.addressee = Addressee.UNIT;
            task.unit = units[number];
            task.state = task.unit.state();
        } else {
            task.addressee = number == Lun.REPORT_LUNS ? Addressee.WELL_KNOWN : Addressee.NOTHING;
            task.unit = null;
            task.state = UnitState.INITIAL;
        }
    }

    /**
     * Whether reservations that came after the command was begun exclude it now, while its data was on the way. The
     * owner that published them makes sure that what is executed before this can see them has ended.
     */
    private static boolean isExcludedMeanwhile(ScsiTask task) {
        if (task.addressee != Addressee.UNIT) {
            return false;
        }
        UnitState now = task.unit.state();
        return now.version() != task.state.version() && now.conflicts(task.nexus(), task.command, task.cdb);
    }

    /**
     * Ends the command with what comes before its own errors, if there is such: a reservation conflict (SAM-5 5.3.3),
     * or the unit attention that its nexus is to be told first. Of the latter some commands take no notice (SAM-5
     * 5.14.3): INQUIRY, REPORT LUNS, and REQUEST SENSE, which gives it as data.
     *
     * @param command null when there is none such
     */
    private static boolean isAnsweredFirst(ScsiTask task, Command command) {
        if (command != null && task.cdb.length() >= command.cdbLength()
                && task.state.conflicts(task.nexus(), command, task.cdb)) {
            task.conflict();
            return true;
        }
        int operationCode = task.cdb.u8(0);
        if (operationCode == INQUIRY || operationCode == REPORT_LUNS || operationCode == REQUEST_SENSE) {
            return false;
        }
        return task.takeAttention().map(attention -> task.fail(attention.sense)).isPresent();
    }

    private ScsiTask.Phase check(ScsiTask task) {
        Cdb cdb = task.cdb;
        if (cdb.length() < 1) {
            return task.fail(SenseCondition.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        }
        Command command = CommandTable.find(cdb, task.unit);
        if (!task.state.quiet() && isAnsweredFirst(task, command)) {
            return ScsiTask.Phase.COMPLETE;
        }
        if (task.addressee == Addressee.NOTHING && (command == null || !command.reaches(Addressee.NOTHING))) {
            return task.fail(SenseCondition.LOGICAL_UNIT_NOT_SUPPORTED);
        }
        if (command == null) {
            return unknown(task);
        }
        if (!command.reaches(task.addressee)) {
            return task.fail(SenseCondition.INVALID_COMMAND_OPERATION_CODE);
        }
        if (cdb.length() < command.cdbLength()) {
            return task.fail(SenseCondition.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        }
        if (task.attribute() == TaskAttribute.ACA) {
            return task.fail(SenseCondition.INVALID_MESSAGE_ERROR);
        }
        int stray = cdb.firstBitOutside(command.usageHigh(), command.usageLow());
        if (stray < 8 * Cdb.LENGTH) {
            return command.refuseBit(task, stray);
        }
        if (command.scope() == Command.Scope.MEDIUM && task.unit.stopped()) {
            return task.fail(SenseCondition.INITIALIZING_COMMAND_REQUIRED);
        }
        if (command.access().writes() && task.unit.writeProtected()) {
            return task.fail(SenseCondition.WRITE_PROTECTED);
        }
        task.command = command;
        return command.handler().begin(task, this);
    }

    private static ScsiTask.Phase unknown(ScsiTask task) {
        if (task.addressee != Addressee.UNIT || !CommandTable.hasServiceActions(task.cdb.u8(0), task.unit)) {
            return task.fail(SenseCondition.INVALID_COMMAND_OPERATION_CODE);
        }
        boolean sent = task.cdb.length() > 1;
        return sent ? task.invalidField(1, 4) : task.fail(SenseCondition.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
    }
}
