package io.jsrpt.scsi;

/**
 * Told, once, that an executed task has its result. May be called from within {@link DeviceServer#execute} or later
 * from a thread of the store, so it must not block, and must hand the task to its owner before the owner reads it.
 */
@FunctionalInterface
public interface TaskCompletion {
    /** The task's status, sense data, length and residual are set. */
    void taskDone(ScsiTask task);
}
