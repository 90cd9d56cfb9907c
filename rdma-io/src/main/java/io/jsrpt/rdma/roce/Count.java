package io.jsrpt.rdma.roce;

/** What a port counts; the names are those of {@link io.jsrpt.rdma.RdmaDevice#counters}. */
enum Count {
    DROPPED_MALFORMED("rx.dropped.malformed"),
    DROPPED_UNKNOWN_QUEUE_PAIR("rx.dropped.unknown-queue-pair"),
    DROPPED_WRONG_PEER("rx.dropped.wrong-peer"),
    DROPPED_PARTITION("rx.dropped.partition"),
    DROPPED_QUEUE_KEY("rx.dropped.queue-key"),
    DROPPED_STATE("rx.dropped.state"),
    DROPPED_OUT_OF_ORDER("rx.dropped.out-of-order"),
    DROPPED_STALE_RESPONSE("rx.dropped.stale-response"),
    DUPLICATES("rx.duplicates"),
    RETRANSMISSIONS("tx.retransmissions"),
    TIMEOUTS("tx.timeouts"),
    NAKS_SENT("tx.naks"),
    NAKS_RECEIVED("rx.naks"),
    RNR_SENT("tx.rnr-naks"),
    RNR_RECEIVED("rx.rnr-naks"),
    ACKS_SENT("tx.acks"),
    CQ_OVERRUNS("completion-queue.overruns"),
    WAKEUPS("thread.wakeups"),
    FAULTS("thread.faults"),
    OPEN_QUEUE_PAIRS("open.queue-pairs"),
    OPEN_COMPLETION_QUEUES("open.completion-queues"),
    OPEN_SHARED_RECEIVE_QUEUES("open.shared-receive-queues"),
    OPEN_MEMORY_REGIONS("open.memory-regions"),
    OPEN_PROTECTION_DOMAINS("open.protection-domains"),
    OPEN_EVENT_CHANNELS("open.event-channels"),
    OPEN_CM_IDS("open.cm-ids");

    private final String counter;

    Count(String counter) {
        this.counter = counter;
    }

    String counter() {
        return counter;
    }
}
