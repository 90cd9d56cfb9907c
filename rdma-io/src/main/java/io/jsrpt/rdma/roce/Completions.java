package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;

/** Where the network thread puts completions. */
interface Completions {
    /** Adds a completion; parameters as for {@link io.jsrpt.rdma.WorkCompletion#set}. */
    void add(long workRequestId, Status status, Opcode opcode, int byteLength, int queuePairNumber);
}
