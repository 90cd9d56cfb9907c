package io.jsrpt.rdma;

/** A completion, as {@link CompletionQueue#poll} fills it in; the poller reuses one object. */
public final class WorkCompletion {
    private long workRequestId;
    private Status status = Status.SUCCESS;
    private Opcode opcode = Opcode.SEND;
    private int byteLength;
    private int queuePairNumber;

    /** Set by a provider. */
    public void set(long workRequestId, Status status, Opcode opcode, int byteLength, int queuePairNumber) {
        this.workRequestId = workRequestId;
        this.status = status;
        this.opcode = opcode;
        this.byteLength = byteLength;
        this.queuePairNumber = queuePairNumber;
    }

    /** The id given at the post. */
    public long workRequestId() {
        return workRequestId;
    }

    /** How it ended. */
    public Status status() {
        return status;
    }

    /** What ended; valid whatever the status. */
    public Opcode opcode() {
        return opcode;
    }

    /** For a receive that succeeded, the bytes received. */
    public int byteLength() {
        return byteLength;
    }

    /** The queue pair that the work belonged to. */
    public int queuePairNumber() {
        return queuePairNumber;
    }

    @Override
    public String toString() {
        return opcode + " " + status + " wr=" + workRequestId + " bytes=" + byteLength + " qp=" + queuePairNumber;
    }

    /** What was posted. */
    public enum Opcode {
        SEND,
        RDMA_WRITE,
        RDMA_READ,
        RECEIVE
    }

    /** How work ended ({@code ibv_wc_status}; IBTA volume 1, 11.6.2). */
    public enum Status {
        SUCCESS,
        /** A received message is longer than the buffer, or a message is longer than the device can carry. */
        LOCAL_LENGTH_ERROR,
        LOCAL_QP_OPERATION_ERROR,
        /** The work request's memory is not inside a region with its lkey. */
        LOCAL_PROTECTION_ERROR,
        /** The queue pair is in the error state; not a fault of this work. */
        WORK_REQUEST_FLUSHED,
        BAD_RESPONSE_ERROR,
        LOCAL_ACCESS_ERROR,
        REMOTE_INVALID_REQUEST,
        /** The peer refused the remote address, length or key. */
        REMOTE_ACCESS_ERROR,
        REMOTE_OPERATION_ERROR,
        /** The peer did not acknowledge within the retries. */
        RETRY_EXCEEDED,
        /** The peer had no receive posted within the retries. */
        RNR_RETRY_EXCEEDED,
        FATAL_ERROR
    }
}
