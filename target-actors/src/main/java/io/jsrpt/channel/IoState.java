package io.jsrpt.channel;

/** The states of an I/O context ({@code enum srpt_command_state}); a context only moves forward. */
enum IoState {
    /** An SRP_CMD was received; it may wait for memory, or a store reads for it. */
    NEW,
    /** Data are on their way from the initiator. */
    NEED_DATA,
    /** The initiator's data are here; a store writes them. */
    DATA_IN,
    /** An SRP_TSK_MGMT was received. */
    MGMT,
    /** The command's SRP_RSP was posted. */
    CMD_RSP_SENT,
    /** The task management function's SRP_RSP was posted. */
    MGMT_RSP_SENT,
    /** Nothing is left to do: the context is free. */
    DONE;

    /** Whether a context may go from this state to the next. */
    boolean leadsTo(IoState next) {
        return switch (this) {
            case NEW -> next == NEED_DATA || next == DATA_IN || next == CMD_RSP_SENT || next == DONE;
            case NEED_DATA -> next == DATA_IN || next == DONE;
            case DATA_IN -> next == CMD_RSP_SENT || next == DONE;
            case MGMT -> next == MGMT_RSP_SENT || next == DONE;
            case CMD_RSP_SENT, MGMT_RSP_SENT -> next == DONE;
            case DONE -> next == NEW || next == MGMT;
        };
    }
}
