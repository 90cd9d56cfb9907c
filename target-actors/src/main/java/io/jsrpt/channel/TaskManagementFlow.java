package io.jsrpt.channel;

import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.srp.TargetLogout;
import io.jsrpt.srp.TaskManagement;
import io.jsrpt.srp.UnitProblem;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Task management ({@code srpt_handle_tsk_mgmt}). A function is answered only when the tasks that it aborted have
 * ended: no RDMA and no store works for them any more. Functions are rare, so this may allocate. Owner only.
 */
final class TaskManagementFlow {
    private final ChannelParts parts;
    private final Transfers transfers;
    private final CommandFlow commands;
    private final TaskManagement unit = new TaskManagement();
    private final List<Wait> waits = new ArrayList<>();

    TaskManagementFlow(ChannelParts parts, Transfers transfers, CommandFlow commands) {
        this.parts = parts;
        this.transfers = transfers;
        this.commands = commands;
    }

    /** Something that waits for aborted tasks to end. */
    static final class Wait {
        private final BitSet tasks = new BitSet();
        private final Runnable whenDone;
        /** Whether it is enough that the store has no part in the tasks any more. */
        private final boolean forStore;
        /** One for the tasks here, one for an answer from outside. */
        private boolean outside;

        Wait(boolean outside, boolean forStore, Runnable whenDone) {
            this.outside = outside;
            this.forStore = forStore;
            this.whenDone = whenDone;
        }

        private boolean isOver() {
            return !outside && tasks.isEmpty();
        }
    }

    /** Takes up a received SRP_TSK_MGMT whose receive buffer is held; an I/O context must be free. */
    void start(int slot, int length) {
        unit.wrap(parts.memory().memory(), parts.memory().receiveOffset(slot), length);
        if (unit.validate() != UnitProblem.NONE) {
            parts.condition().protocolError(
                    "an SRP_TSK_MGMT of " + length + " bytes is too short", TargetLogout.NO_REASON);
            return;
        }
        parts.counters().taskManagement++;
        IoContext context = parts.contexts().take(IoState.MGMT);
        context.tag = unit.tag();
        context.lun = unit.lun();
        context.solicited = unit.solicitedResponse();
        context.receive = slot;
        Optional<LogicalUnit> addressed = parts.server().unit(context.lun);
        if (addressed.isEmpty()) {
            respond(context, TaskManagement.FAILED);
            return;
        }
        switch (unit.function()) {
            case TaskManagement.ABORT_TASK -> abortTask(context, unit.taskTag());
            case TaskManagement.ABORT_TASK_SET ->
                abortSet(context, addressed.get(), TaskManagementRequest.Function.ABORT_TASK_SET);
            case TaskManagement.CLEAR_TASK_SET ->
                abortSet(context, addressed.get(), TaskManagementRequest.Function.CLEAR_TASK_SET);
            case TaskManagement.LOGICAL_UNIT_RESET ->
                abortSet(context, addressed.get(), TaskManagementRequest.Function.LOGICAL_UNIT_RESET);
            default -> respond(context, TaskManagement.NOT_SUPPORTED);
        }
    }

    /**
     * Aborts this channel's tasks of a logical unit for another channel's function. Tasks whose response was posted are
     * waited for too: the answer goes through another queue pair, where it could overtake their data, and the initiator
     * may use their buffers for something else as soon as it has the answer.
     */
    void abortTasks(LogicalUnit addressed, Runnable whenDone) {
        Wait wait = new Wait(false, false, whenDone);
        for (int i = 0; i < parts.contexts().size(); i++) {
            IoContext task = parts.contexts().get(i);
            if (task.state() == IoState.CMD_RSP_SENT && isFor(task, addressed)) {
                wait.tasks.set(i);
            }
        }
        await(addressed, wait);
    }

    /** Whether there are commands of a logical unit that are not answered yet. */
    boolean hasTasks(LogicalUnit addressed) {
        for (int i = 0; i < parts.contexts().size(); i++) {
            IoContext task = parts.contexts().get(i);
            if (task.isOpenCommand() && isFor(task, addressed)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Waits for what the store has of a logical unit, because the unit's owner has published what excludes it: whatever
     * goes to the store from now on is checked against that. Commands that are with the owner itself, which may wait
     * for the same, are left alone.
     *
     * @param abort whether the unit's commands are aborted too
     */
    void fence(LogicalUnit addressed, boolean abort, Runnable whenDone) {
        Wait wait = new Wait(false, true, whenDone);
        BitSet aborted = new BitSet();
        for (int i = 0; i < parts.contexts().size(); i++) {
            IoContext task = parts.contexts().get(i);
            if (task.isOpenCommand() && isFor(task, addressed) && !(task.inStore && task.task.byOwner())) {
                wait.tasks.set(i, task.inStore);
                aborted.set(i, abort);
            }
        }
        waits.add(wait);
        aborted.stream().forEach(index -> commands.abort(parts.contexts().get(index)));
        settle();
    }

    /** The store has ended its part of a context's request. */
    void leftStore(int index) {
        for (Wait wait : waits) {
            if (wait.forStore) {
                wait.tasks.clear(index);
            }
        }
    }

    /** The answer from outside. */
    void complete(TaskManagementRequest request, int code) {
        request.answer();
        Wait wait = request.waiting();
        if (waits.contains(wait)) {
            parts.contexts().get(request.context()).responseCode = code;
            wait.outside = false;
            settle();
        }
    }

    /** A context's request has ended, with or without a response. */
    void ended(int index) {
        for (Wait wait : waits) {
            wait.tasks.clear(index);
        }
    }

    /** Answers those whose tasks have all ended; true when there was one. */
    boolean settle() {
        boolean progress = false;
        for (int i = 0; i < waits.size();) {
            Wait wait = waits.get(i);
            if (wait.isOver()) {
                waits.remove(i);
                wait.whenDone.run();
                progress = true;
            } else {
                i++;
            }
        }
        return progress;
    }

    /** The connection is over: those that wait for an answer from outside wait no more. */
    void drop() {
        waits.removeIf(wait -> wait.outside);
    }

    /** By SAM-5 7.2 the function is complete also when the task is not, or no longer, in the task set. */
    private void abortTask(IoContext context, long taskTag) {
        Wait wait = new Wait(false, false, () -> respond(context, TaskManagement.COMPLETE));
        for (int i = 0; i < parts.contexts().size(); i++) {
            IoContext task = parts.contexts().get(i);
            if (task.isOpenCommand() && task.tag == taskTag && task.lun == context.lun) {
                wait.tasks.set(i);
            }
        }
        abortAll(wait);
    }

    private void abortSet(IoContext context, LogicalUnit addressed, TaskManagementRequest.Function function) {
        Wait wait = new Wait(true, false, () -> respond(context, context.responseCode));
        TaskManagementRequest request = new TaskManagementRequest(function, addressed, context.index, wait);
        await(addressed, wait);
        parts.events().taskManagement(request);
    }

    private void await(LogicalUnit addressed, Wait wait) {
        for (int i = 0; i < parts.contexts().size(); i++) {
            IoContext task = parts.contexts().get(i);
            if (task.isOpenCommand() && isFor(task, addressed)) {
                wait.tasks.set(i);
            }
        }
        abortAll(wait);
    }

    private boolean isFor(IoContext task, LogicalUnit addressed) {
        return parts.server().unit(task.lun).filter(addressed::equals).isPresent();
    }

    /** The wait is listed before the aborts, some of which end their task at once. */
    private void abortAll(Wait wait) {
        waits.add(wait);
        BitSet tasks = (BitSet) wait.tasks.clone();
        tasks.stream().forEach(index -> commands.abort(parts.contexts().get(index)));
        settle();
    }

    private void respond(IoContext context, int code) {
        context.responseCode = code;
        context.transfer = IoContext.Transfer.RESPONSE;
        if (parts.condition().isServing()) {
            commands.releaseReceive(context);
            transfers.submit(context);
        } else {
            commands.end(context);
        }
    }
}
