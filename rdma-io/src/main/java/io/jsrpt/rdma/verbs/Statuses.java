package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.WorkCompletion.Status;

/** {@code enum ibv_wc_status}, by number, in this interface's words. */
final class Statuses {
    static final int SUCCESS = 0;
    static final int WR_FLUSH_ERR = 5;

    private static final Status[] BY_NUMBER = {
        Status.SUCCESS,
        Status.LOCAL_LENGTH_ERROR,
        Status.LOCAL_QP_OPERATION_ERROR,
        Status.LOCAL_QP_OPERATION_ERROR, // of an end-to-end context
        Status.LOCAL_PROTECTION_ERROR,
        Status.WORK_REQUEST_FLUSHED,
        Status.LOCAL_QP_OPERATION_ERROR, // binding a memory window
        Status.BAD_RESPONSE_ERROR,
        Status.LOCAL_ACCESS_ERROR,
        Status.REMOTE_INVALID_REQUEST,
        Status.REMOTE_ACCESS_ERROR,
        Status.REMOTE_OPERATION_ERROR,
        Status.RETRY_EXCEEDED,
        Status.RNR_RETRY_EXCEEDED
    };

    private Statuses() {}

    /** The rest, of kinds of transport that are not used here, are fatal. */
    static Status of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : Status.FATAL_ERROR;
    }
}
