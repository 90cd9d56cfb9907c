package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;

/**
 * The half of a reliable connection that sends requests (IBTA volume 1, 9.7.2 to 9.7.5 and 9.9.2). Pure: it is driven
 * by its queue, packets and a clock in nanoseconds, and answers with packets and completions.
 *
 * <p>Packets are counted from 0 in 64 bits here; a count plus the initial PSN, in 24 bits, is the PSN. A READ takes as
 * many numbers as its response has packets. A long READ is asked for in segments, so that no more packets come in than
 * the window allows; a repeated request never crosses a segment's end, since a responder looks for the original request
 * that holds it.
 */
final class Requester {
    private static final Opcode[] OPCODES = {Opcode.SEND, Opcode.RDMA_WRITE, Opcode.RDMA_READ};
    private static final int RNR_FOR_EVER = 7;
    private static final long NEVER = Long.MAX_VALUE;

    private final SendRing ring;
    private final Completions completions;
    private final Connection connection;
    private final Attributes attributes;
    private final Tuning tuning;
    private final Counters counters;
    /** By slot: the first packet of each work request that was begun, and how many it has. */
    private final long[] first;

    private final int[] packets;
    /** Where the outstanding READ requests end, oldest first. */
    private final ReadWindow reads;

    /** The oldest work request that is not complete; the one being sent; the one behind the last that was begun. */
    private long oldest;

    private long current;
    private long begun;
    private long tail;
    /** The oldest packet not acknowledged; the next to send; one past the highest ever sent; the next to give out. */
    private long acked;

    private long next;
    private long sent;
    private long allocated;

    private int sinceAckRequest;
    private boolean askAlways;
    private final AckTimer timer;
    private long notReadyUntil = NEVER;
    private int notReadyRetries;
    /** Nothing was heard in time: one packet or READ goes at a time until something is. */
    private boolean probing;
    /** The time of the current {@link #pump}. */
    private long pumpedAt;
    /** The packet at which a gap was last answered by going back; not done twice without progress. */
    private long lastGap = -1;

    private Status blocked = Status.SUCCESS;
    private Status fault = Status.SUCCESS;

    /**
     * What was negotiated.
     *
     * @param initialPsn the first packet's number
     * @param depth the most READ requests outstanding
     * @param retryCount how often packets are repeated without progress
     * @param rnrRetryCount how often after receiver-not-ready NAKs; 7 is for ever
     * @param timeoutNanos the wait for an acknowledgement that costs a retry, see {@link AckTimer}
     */
    record Attributes(int initialPsn, int depth, int retryCount, int rnrRetryCount, long timeoutNanos) {}

    Requester(
            SendRing ring, Completions completions, Connection connection, Attributes attributes, Tuning tuning) {
        this.ring = ring;
        this.completions = completions;
        this.connection = connection;
        this.attributes = attributes;
        this.tuning = tuning;
        this.counters = connection.counters();
        first = new long[ring.slots()];
        packets = new int[ring.slots()];
        reads = new ReadWindow(attributes.depth());
        timer = new AckTimer(attributes.timeoutNanos(), attributes.retryCount(), tuning.minTimeoutNanos());
        notReadyRetries = attributes.rnrRetryCount();
    }

    /** What went wrong; the queue pair must go to error then. The work request at fault has completed. */
    boolean failed() {
        return fault != Status.SUCCESS;
    }

    /** When {@link #onTimer} is due. */
    long deadline() {
        return notReadyUntil != NEVER ? notReadyUntil : timer.deadline();
    }

    /** Takes the visible end of the queue; the caller then looks whether the queue pair was moved to error. */
    void snapshot() {
        tail = ring.tail();
    }

    /**
     * Sends what may be sent of the work requests before the snapshot.
     *
     * @return whether the burst ended it, so that it must be called again
     */
    boolean pump(long now) {
        if (notReadyUntil != NEVER || failed()) {
            return false;
        }
        pumpedAt = now;
        int budget = tuning.burst();
        while (current < tail && blocked == Status.SUCCESS) {
            if (current == begun) {
                begin();
                continue;
            }
            if (budget-- == 0) {
                break;
            }
            boolean went = ring.operation(current) == SendRing.READ ? sendReadRequest() : sendPacket();
            if (!went) {
                break;
            }
        }
        checkBlocked();
        if (acked < next) {
            timer.start(now);
        }
        return budget < 0 && !failed();
    }

    private void begin() {
        int slot = ring.slot(current);
        int length = ring.length(current);
        boolean read = ring.operation(current) == SendRing.READ;
        if (read && attributes.depth() == 0) {
            block(Status.LOCAL_QP_OPERATION_ERROR);
        } else if (!holds(current, 0, length)) {
            block(Status.LOCAL_PROTECTION_ERROR);
        } else {
            first[slot] = allocated;
            packets[slot] = connection.packets(length);
            allocated += packets[slot];
            begun++;
        }
    }

    private boolean holds(long cursor, long offset, int length) {
        return length == 0
            || connection.memory().allows(
                connection.domain(), ring.lkey(cursor), ring.address(cursor) + offset, length, 0);
    }

    /**
     * The current work request cannot be sent. It fails once all before it are complete, so an acknowledgement of those
     * must be on its way; where the last of them did not ask for one, they are sent again and do.
     *
     * @return whether to go on sending
     */
    private boolean block(Status status) {
        if (acked < next && sinceAckRequest > 0) {
            seek();
            askAlways = true;
            return true;
        }
        blocked = status;
        return false;
    }

    private void checkBlocked() {
        if (blocked != Status.SUCCESS && oldest == current) {
            fail(blocked);
        }
    }

    private boolean sendPacket() {
        if (next - acked >= window()) {
            return false;
        }
        int slot = ring.slot(current);
        long index = next - first[slot];
        boolean last = index == packets[slot] - 1;
        long offset = index * connection.mtu();
        int length = (int) Math.min(connection.mtu(), ring.length(current) - offset);
        if (!holds(current, offset, length)) {
            return block(Status.LOCAL_PROTECTION_ERROR);
        }
        boolean write = ring.operation(current) == SendRing.WRITE;
        int header = Bth.BYTES;
        int pad = Bth.padFor(length);
        boolean askAck = asksAck(last);
        boolean solicited = last && !write && (ring.flags(current) & QueuePair.SOLICITED) != 0;
        long at = connection.output().reserve();
        int opcode = (write ? Bth.WRITE_FIRST : Bth.SEND_FIRST) + position(index == 0, last);
        Bth.write(at, opcode, solicited ? Bth.SOLICITED : 0, pad, connection.remote(), askAck, psn(next));
        if (write && index == 0) {
            Bth.writeReth(at + header, ring.remote(current), ring.rkey(current), ring.length(current));
            header += Bth.RETH_BYTES;
        }
        if (length > 0) {
            Native.copy(ring.address(current) + offset, at + header, length);
            Native.zero(at + header + length, pad);
        }
        connection.output().commit(header + length + pad);
        sinceAckRequest = askAck ? 0 : sinceAckRequest + 1;
        went(1, askAck);
        return true;
    }

    private int window() {
        return probing ? 1 : tuning.window();
    }

    /** Where in its message a packet is, as the opcodes of SEND and RDMA WRITE count it. */
    private static int position(boolean isFirst, boolean isLast) {
        if (isFirst) {
            return isLast ? Bth.SEND_ONLY : Bth.SEND_FIRST;
        }
        return isLast ? Bth.SEND_LAST : Bth.SEND_MIDDLE;
    }

    private boolean asksAck(boolean last) {
        boolean awaited = (ring.flags(current) & QueuePair.SIGNALED) != 0 || current + 1 >= tail;
        boolean due = sinceAckRequest + 1 >= tuning.ackEvery() || next + 1 - acked >= window();
        return askAlways || due || (last && awaited);
    }

    private boolean sendReadRequest() {
        int slot = ring.slot(current);
        long index = next - first[slot];
        long segmentEnd = Math.min((index / tuning.readSegment() + 1) * tuning.readSegment(), packets[slot]);
        int count = (int) (segmentEnd - index);
        if (reads.full() || (next > acked && next + count - acked > window())) {
            return false;
        }
        long offset = index * connection.mtu();
        long end = Math.min(segmentEnd * connection.mtu(), ring.length(current));
        long at = connection.output().reserve();
        Bth.write(at, Bth.READ_REQUEST, 0, 0, connection.remote(), true, psn(next));
        Bth.writeReth(at + Bth.BYTES, ring.remote(current) + offset, ring.rkey(current), (int) (end - offset));
        connection.output().commit(Bth.BYTES + Bth.RETH_BYTES);
        sinceAckRequest = 0;
        went(count, true);
        reads.add(next);
        return true;
    }

    private void went(int count, boolean askAck) {
        if (next < sent) {
            counters.increment(Count.RETRANSMISSIONS);
        } else if (askAck) {
            timer.sent(next, pumpedAt);
        }
        next += count;
        sent = Math.max(sent, next);
        if (next == first[ring.slot(current)] + packets[ring.slot(current)]) {
            current++;
        }
    }

    private int psn(long number) {
        return Psn.plus(attributes.initialPsn(), number);
    }

    private long number(int psn) {
        return acked + Psn.minus(psn, psn(acked));
    }

    /** Takes an acknowledgement: an ACK, a NAK or a receiver-not-ready NAK. */
    void onAcknowledge(int psn, int syndrome, long now) {
        long number = number(psn);
        if (failed() || number < acked || number >= sent) {
            counters.increment(Count.DROPPED_STALE_RESPONSE);
            return;
        }
        switch (Syndrome.kind(syndrome)) {
            case Syndrome.ACK -> {
                if (!advance(number + 1, now)) {
                    goBackOnce(now);
                }
            }
            case Syndrome.RNR_NAK -> {
                counters.increment(Count.RNR_RECEIVED);
                if (!advance(number, now)) {
                    goBackOnce(now);
                } else {
                    onNotReady(syndrome, now);
                }
            }
            case Syndrome.NAK -> {
                counters.increment(Count.NAKS_RECEIVED);
                onNak(number, syndrome, now);
            }
            default -> counters.increment(Count.DROPPED_MALFORMED);
        }
    }

    private void onNotReady(int syndrome, long now) {
        if (attributes.rnrRetryCount() != RNR_FOR_EVER && notReadyRetries-- == 0) {
            fail(Status.RNR_RETRY_EXCEEDED);
            return;
        }
        seek();
        timer.stop();
        notReadyUntil = now + Syndrome.rnrNanos(syndrome);
    }

    private void onNak(long number, int syndrome, long now) {
        boolean whole = advance(number, now);
        switch (syndrome) {
            case Syndrome.NAK_SEQUENCE -> goBackOnce(now);
            case Syndrome.NAK_INVALID_REQUEST -> fail(Status.REMOTE_INVALID_REQUEST);
            case Syndrome.NAK_REMOTE_ACCESS -> fail(Status.REMOTE_ACCESS_ERROR);
            case Syndrome.NAK_REMOTE_OPERATION -> fail(Status.REMOTE_OPERATION_ERROR);
            default -> {
                if (whole) {
                    fail(Status.BAD_RESPONSE_ERROR);
                }
            }
        }
    }

    /**
     * Takes a packet of a READ response; its headers have been checked to lie within the packet.
     *
     * @param payload native address of the data
     */
    void onReadResponse(int opcode, int psn, int syndrome, long payload, int length, long now) {
        long number = number(psn);
        if (failed() || number < acked || number >= sent) {
            counters.increment(Count.DROPPED_STALE_RESPONSE);
            return;
        }
        if (!advance(number, now)) {
            goBackOnce(now);
            return;
        }
        int slot = ring.slot(oldest);
        if (oldest == begun || ring.operation(oldest) != SendRing.READ) {
            counters.increment(Count.DROPPED_STALE_RESPONSE);
            return;
        }
        long offset = (number - first[slot]) * connection.mtu();
        int expected = (int) Math.min(connection.mtu(), ring.length(oldest) - offset);
        if (length != expected || (opcode != Bth.READ_RESPONSE_MIDDLE && Syndrome.kind(syndrome) != Syndrome.ACK)) {
            fail(Status.BAD_RESPONSE_ERROR);
            return;
        }
        if (!holds(oldest, offset, length)) {
            fail(Status.LOCAL_PROTECTION_ERROR);
            return;
        }
        Native.copy(payload, ring.address(oldest) + offset, length);
        acked++;
        if (acked == first[slot] + packets[slot]) {
            completeOldest();
        }
        progress(now);
    }

    /**
     * Everything before {@code end} was done by the peer.
     *
     * @return false when the response of a READ among it did not come: an implied NAK (9.7.5.2.8)
     */
    private boolean advance(long end, long now) {
        boolean moved = false;
        boolean whole = true;
        while (acked < end && whole) {
            int slot = ring.slot(oldest);
            if (ring.operation(oldest) == SendRing.READ) {
                whole = false;
            } else {
                long last = first[slot] + packets[slot];
                acked = Math.min(last, end);
                moved = true;
                if (acked == last) {
                    completeOldest();
                }
            }
        }
        if (moved) {
            progress(now);
        }
        return whole;
    }

    private void completeOldest() {
        if ((ring.flags(oldest) & QueuePair.SIGNALED) != 0) {
            complete(Status.SUCCESS);
        } else {
            oldest++;
            ring.free(oldest);
        }
    }

    private void complete(Status status) {
        Opcode opcode = OPCODES[ring.operation(oldest)];
        long id = ring.id(oldest);
        int length = ring.length(oldest);
        oldest++;
        ring.free(oldest);
        completions.add(id, status, opcode, length, connection.number());
    }

    private void progress(long now) {
        probing = false;
        notReadyRetries = attributes.rnrRetryCount();
        notReadyUntil = NEVER;
        reads.retire(acked);
        if (next < acked) {
            // packets that were to be repeated are acknowledged after all
            seek();
        }
        timer.progress(acked, acked < next, now);
        checkBlocked();
    }

    private void goBackOnce(long now) {
        if (lastGap != acked) {
            lastGap = acked;
            seek();
            timer.repeated(now);
        }
    }

    /** Goes back to the oldest packet that is not acknowledged; everything from there is sent again. */
    private void seek() {
        blocked = Status.SUCCESS;
        next = acked;
        current = oldest;
        sinceAckRequest = 0;
        reads.clear();
        timer.forget();
    }

    /** A timer is due: the wait after a receiver-not-ready NAK, or for an acknowledgement. {@link #pump} follows. */
    void onTimer(long now) {
        if (notReadyUntil != NEVER) {
            if (now >= notReadyUntil) {
                notReadyUntil = NEVER;
            }
        } else if (!failed()) {
            onTimer(timer.due(now));
        }
    }

    private void onTimer(AckTimer.Due due) {
        switch (due) {
            case NOTHING -> { }
            case REPEAT -> {
                counters.increment(Count.TIMEOUTS);
                lastGap = -1;
                probing = true;
                seek();
            }
            case GIVE_UP -> {
                counters.increment(Count.TIMEOUTS);
                fail(Status.RETRY_EXCEEDED);
            }
        }
    }

    private void fail(Status status) {
        if (!failed()) {
            fault = status;
            timer.stop();
            notReadyUntil = NEVER;
            complete(status);
        }
    }

    /** Completes all that is outstanding, and what becomes visible later on each call, as flushed. */
    void flush() {
        if (!failed()) {
            fault = Status.WORK_REQUEST_FLUSHED;
        }
        timer.stop();
        notReadyUntil = NEVER;
        oldest = flush(ring, oldest, completions, connection.number());
    }

    /** Flushes what is visible in a queue from a cursor on, and returns the cursor behind it. */
    static long flush(SendRing ring, long from, Completions completions, int number) {
        long end = ring.tail();
        for (long cursor = from; cursor < end; cursor++) {
            long id = ring.id(cursor);
            Opcode opcode = OPCODES[ring.operation(cursor)];
            ring.free(cursor + 1);
            completions.add(id, Status.WORK_REQUEST_FLUSHED, opcode, 0, number);
        }
        return end;
    }
}
