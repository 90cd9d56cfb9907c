package io.jsrpt.channel;

import io.jsrpt.scsi.LogicalUnit;

/**
 * A task management function that concerns more than this channel; handed back with
 * {@link ChannelIo#completeTaskManagement}.
 */
public final class TaskManagementRequest {
    private final Function function;
    private final LogicalUnit unit;
    private final int context;
    private final TaskManagementFlow.Wait waiting;
    private boolean answered;

    TaskManagementRequest(Function function, LogicalUnit unit, int context, TaskManagementFlow.Wait waiting) {
        this.function = function;
        this.unit = unit;
        this.context = context;
        this.waiting = waiting;
    }

    /** What was asked for. */
    public Function function() {
        return function;
    }

    /** The logical unit that it is for. */
    public LogicalUnit unit() {
        return unit;
    }

    int context() {
        return context;
    }

    TaskManagementFlow.Wait waiting() {
        return waiting;
    }

    /** Marks the request as answered; the second answer fails. */
    void answer() {
        if (answered) {
            throw new IllegalStateException(function + " was answered before");
        }
        answered = true;
    }

    /** The functions that concern more than one channel. */
    public enum Function {
        /** Abort the tasks of this I_T nexus on the logical unit. */
        ABORT_TASK_SET,
        /** Abort the tasks of all nexuses on the logical unit. */
        CLEAR_TASK_SET,
        /** Abort the tasks of all nexuses on the logical unit, and reset it. */
        LOGICAL_UNIT_RESET
    }
}
