package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;

/**
 * The half of a reliable connection that answers requests (IBTA volume 1, 9.7.4, 9.7.5 and 9.9.3). Pure, like
 * {@link Requester}. Requests are executed at once; answers are sent by {@link #pump}, in order: READ responses first,
 * then one acknowledgement for all that came since.
 */
final class Responder {
    private static final int NO_NAK = -1;

    private final ReceiveRing receives;
    private final Completions completions;
    private final Connection connection;
    private final Attributes attributes;
    private final int burst;
    private final Counters counters;
    private final ReadResponses reads;

    private int expected;
    private int msn;
    private Message message = Message.NONE;

    /** The receive that the current SEND fills. */
    private boolean receiving;

    private long receiveId;
    private long receiveAddress;
    private int receiveLength;
    private int receiveKey;
    private int received;

    /** What is left of the current RDMA WRITE. */
    private long writeAddress;

    private int writeKey;
    private int writeLeft;

    private boolean ackWanted;
    private int nak = NO_NAK;
    /** A NAK was sent for the expected packet, so none is sent for the next ones (9.7.5.2.4). */
    private boolean nakSent;
    private boolean starved;
    private boolean faulty;
    private boolean failed;

    /** What the packets before the expected one were in the middle of. */
    private enum Message {
        NONE,
        SEND,
        WRITE
    }

    /**
     * What was negotiated.
     *
     * @param initialPsn the first packet's number
     * @param depth the most READ requests that the peer has outstanding
     * @param rnrTimer the code of the wait that receiver-not-ready NAKs ask for, table 45
     * @param credits whether acknowledgements advertise receives
     */
    record Attributes(int initialPsn, int depth, int rnrTimer, boolean credits) {}

    Responder(
            ReceiveRing receives,
            Completions completions,
            Connection connection,
            Attributes attributes,
            int burst) {
        this.receives = receives;
        this.completions = completions;
        this.connection = connection;
        this.attributes = attributes;
        this.burst = burst;
        this.counters = connection.counters();
        reads = new ReadResponses(Math.max(1, attributes.depth()), connection);
        expected = attributes.initialPsn();
    }

    /** A request was refused for good and the NAK sent; the queue pair must go to error. */
    boolean failed() {
        return failed;
    }

    /** Whether the last acknowledgement said that there is no receive, so that the next one posted must be told. */
    boolean starved() {
        return starved;
    }

    /**
     * Takes a request packet whose headers lie within it.
     *
     * @param packet native address of the BTH
     * @param payload native address of the payload
     * @param length of the payload, without pad
     */
    void onRequest(int opcode, long packet, long payload, int length) {
        if (faulty) {
            counters.increment(Count.DROPPED_STATE);
            return;
        }
        int ahead = Psn.minus(Bth.psn(packet), expected);
        if (ahead < 0) {
            onDuplicate(opcode, packet);
        } else if (ahead > 0) {
            counters.increment(Count.DROPPED_OUT_OF_ORDER);
            if (!nakSent) {
                nakSent = true;
                nak = Syndrome.NAK_SEQUENCE;
            }
        } else {
            onExpected(opcode, packet, payload, length);
        }
    }

    private void onExpected(int opcode, long packet, long payload, int length) {
        boolean done = switch (opcode) {
            case Bth.SEND_FIRST, Bth.SEND_MIDDLE, Bth.SEND_LAST, Bth.SEND_ONLY ->
                onSend(opcode, payload, length);
            case Bth.WRITE_FIRST, Bth.WRITE_MIDDLE, Bth.WRITE_LAST, Bth.WRITE_ONLY ->
                onWrite(opcode - Bth.WRITE_FIRST, packet, payload, length);
            case Bth.READ_REQUEST -> onRead(packet, length);
            // immediates, invalidation and atomic operations: the service interface has none
            default -> refuse(Syndrome.NAK_INVALID_REQUEST);
        };
        if (done) {
            if (nak != Syndrome.NAK_SEQUENCE) {
                nak = NO_NAK;
            }
            nakSent = nak != NO_NAK;
            ackWanted |= Bth.ackRequest(packet) && opcode != Bth.READ_REQUEST;
        }
    }

    /** Whether the packet's payload length is one that its place in the message allows (9.6.2 and 9.7.4.1.6). */
    private boolean fits(boolean isFirst, boolean isLast, int length) {
        if (!isLast) {
            return length == connection.mtu();
        }
        return length <= connection.mtu() && (isFirst || length > 0);
    }

    private boolean onSend(int position, long payload, int length) {
        boolean isFirst = position == Bth.SEND_FIRST || position == Bth.SEND_ONLY;
        boolean isLast = position == Bth.SEND_LAST || position == Bth.SEND_ONLY;
        if (message != (isFirst ? Message.NONE : Message.SEND) || !fits(isFirst, isLast, length)) {
            return refuse(Syndrome.NAK_INVALID_REQUEST);
        }
        if (isFirst && !takeReceive()) {
            nakSent = true;
            nak = Syndrome.rnrNak(attributes.rnrTimer());
            return false;
        }
        if (length > receiveLength - received) {
            completeReceive(Status.LOCAL_LENGTH_ERROR);
            return refuse(Syndrome.NAK_INVALID_REQUEST);
        }
        if (length > 0) {
            long to = receiveAddress + received;
            if (!connection.memory().allows(connection.domain(), receiveKey, to, length, 0)) {
                completeReceive(Status.LOCAL_PROTECTION_ERROR);
                return refuse(Syndrome.NAK_REMOTE_OPERATION);
            }
            Native.copy(payload, to, length);
            received += length;
        }
        message = Message.SEND;
        accepted(isLast);
        if (isLast) {
            completeReceive(Status.SUCCESS);
        }
        return true;
    }

    private boolean takeReceive() {
        if (receives.available() == 0) {
            return false;
        }
        receiveId = receives.id();
        receiveAddress = receives.address();
        receiveLength = receives.length();
        receiveKey = receives.lkey();
        receives.take();
        received = 0;
        receiving = true;
        return true;
    }

    private void completeReceive(Status status) {
        receiving = false;
        completions.add(receiveId, status, Opcode.RECEIVE, received, connection.number());
    }

    private void accepted(boolean isLast) {
        expected = Psn.plus(expected, 1);
        if (isLast) {
            message = Message.NONE;
            msn = Psn.plus(msn, 1);
        }
    }

    private boolean onWrite(int position, long packet, long payload, int length) {
        boolean isFirst = position == Bth.SEND_FIRST || position == Bth.SEND_ONLY;
        boolean isLast = position == Bth.SEND_LAST || position == Bth.SEND_ONLY;
        if (message != (isFirst ? Message.NONE : Message.WRITE) || !fits(isFirst, isLast, length)) {
            return refuse(Syndrome.NAK_INVALID_REQUEST);
        }
        if (isFirst) {
            long reth = packet + Bth.BYTES;
            writeAddress = Native.getLong(reth);
            writeKey = Native.getInt(reth + 8);
            writeLeft = Native.getInt(reth + 12);
            if (writeLeft < 0 || writeLeft > Connection.MAX_MESSAGE_BYTES) {
                return refuse(Syndrome.NAK_INVALID_REQUEST);
            }
            if (writeLeft > 0 && !reachable(writeKey, writeAddress, writeLeft, MemoryTable.REMOTE_WRITE)) {
                return refuse(Syndrome.NAK_REMOTE_ACCESS);
            }
        }
        if (isLast ? length != writeLeft : length >= writeLeft) {
            return refuse(Syndrome.NAK_INVALID_REQUEST);
        }
        if (length > 0) {
            // looked up again, since the region may have gone between two packets
            if (!reachable(writeKey, writeAddress, length, MemoryTable.REMOTE_WRITE)) {
                return refuse(Syndrome.NAK_REMOTE_ACCESS);
            }
            Native.copy(payload, writeAddress, length);
            writeAddress += length;
            writeLeft -= length;
        }
        message = Message.WRITE;
        accepted(isLast);
        return true;
    }

    private boolean reachable(int key, long address, int length, int access) {
        return connection.memory().allows(connection.domain(), key, address, length, access);
    }

    private boolean onRead(long packet, int length) {
        long reth = packet + Bth.BYTES;
        int wanted = Native.getInt(reth + 12);
        boolean inPlace = message == Message.NONE && attributes.depth() > 0 && !reads.full();
        if (!inPlace || length != 0 || wanted < 0 || wanted > Connection.MAX_MESSAGE_BYTES) {
            return refuse(Syndrome.NAK_INVALID_REQUEST);
        }
        long address = Native.getLong(reth);
        int key = Native.getInt(reth + 8);
        if (wanted > 0 && !reachable(key, address, wanted, MemoryTable.REMOTE_READ)) {
            return refuse(Syndrome.NAK_REMOTE_ACCESS);
        }
        reads.add(expected, address, key, wanted);
        expected = Psn.plus(expected, connection.packets(wanted));
        msn = Psn.plus(msn, 1);
        // the response acknowledges all before it
        ackWanted = false;
        return true;
    }

    /** A request that was executed before: its answer was lost (9.7.5.1.3). */
    private void onDuplicate(int opcode, long packet) {
        counters.increment(Count.DUPLICATES);
        if (opcode != Bth.READ_REQUEST) {
            ackWanted = true;
            return;
        }
        long reth = packet + Bth.BYTES;
        int psn = Bth.psn(packet);
        int wanted = Native.getInt(reth + 12);
        // It must end where executed requests end; otherwise it is not a repetition and gets no answer.
        if (wanted < 0
            || wanted > Connection.MAX_MESSAGE_BYTES
            || Psn.minus(Psn.plus(psn, connection.packets(wanted)), expected) > 0) {
            counters.increment(Count.DROPPED_MALFORMED);
            return;
        }
        if (wanted > 0
            && !reachable(Native.getInt(reth + 8), Native.getLong(reth), wanted, MemoryTable.REMOTE_READ)) {
            refuse(Syndrome.NAK_REMOTE_ACCESS);
            return;
        }
        reads.repeat(psn, Native.getLong(reth), Native.getInt(reth + 8), wanted);
    }

    private boolean refuse(int syndrome) {
        nak = syndrome;
        faulty = true;
        return false;
    }

    /**
     * Sends answers.
     *
     * @return whether the burst ended it, so that it must be called again
     */
    boolean pump() {
        if (failed) {
            return false;
        }
        int sent = 0;
        while (!reads.empty()) {
            if (sent++ == burst) {
                return true;
            }
            if (!reads.send(syndrome(), msn)) {
                failed = true;
                acknowledge(Syndrome.NAK_REMOTE_ACCESS, reads.psn());
                return false;
            }
        }
        if (nak != NO_NAK) {
            acknowledge(nak, expected);
            nak = NO_NAK;
            ackWanted = false;
            failed = faulty;
        } else if (ackWanted || (starved && receives.available() > 0)) {
            acknowledge(syndrome(), Psn.plus(expected, -1));
            ackWanted = false;
        }
        return false;
    }

    private int syndrome() {
        if (!attributes.credits()) {
            return Syndrome.ACK_UNLIMITED;
        }
        int code = Syndrome.ackWithCredits(receives.available());
        starved = code == 0;
        return code;
    }

    private void acknowledge(int syndrome, int psn) {
        long at = connection.output().reserve();
        Bth.write(at, Bth.ACKNOWLEDGE, 0, 0, connection.remote(), false, psn);
        Bth.writeAeth(at + Bth.BYTES, syndrome, msn);
        connection.output().commit(Bth.BYTES + Bth.AETH_BYTES);
        switch (Syndrome.kind(syndrome)) {
            case Syndrome.ACK -> counters.increment(Count.ACKS_SENT);
            case Syndrome.RNR_NAK -> counters.increment(Count.RNR_SENT);
            default -> counters.increment(Count.NAKS_SENT);
        }
    }

    /** Completes the receive that was being filled as flushed; those that wait are flushed by the caller. */
    void flush() {
        failed = true;
        faulty = true;
        if (receiving) {
            received = 0;
            completeReceive(Status.WORK_REQUEST_FLUSHED);
        }
    }
}
