package io.jsrpt.it.initiator;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.QueuePairSpec;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.srp.CreditRequest;
import io.jsrpt.srp.CreditResponse;
import io.jsrpt.srp.EventRequest;
import io.jsrpt.srp.EventResponse;
import io.jsrpt.srp.LoginReject;
import io.jsrpt.srp.LoginResponse;
import io.jsrpt.srp.SrpOpcode;
import io.jsrpt.srp.SrpResponse;
import io.jsrpt.srp.TaskManagement;
import io.jsrpt.srp.UnitProblem;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.Set;

/** One RDMA channel of a session. */
public final class InitiatorChannel implements AutoCloseable {
    private static final int SPARE_SLOTS = 8;
    private static final int SLOT_MASK = 0xffff;
    private static final int SENDING = 1;
    private static final int AWAITING = 2;
    private static final int TAG_OFFSET = 8;
    private static final ValueLayout.OfLong BIG_ENDIAN_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Told of responses; must not block. */
    public interface Listener {
        /**
         * The response of a command or a task management request.
         *
         * @param slot as returned by the send; free again once this returns
         * @param unit the segment that the response lies in; valid during the call
         */
        void responded(int slot, MemorySegment unit, SrpResponse response);
    }

    private final CmId id;
    private final QueuePair queuePair;
    private final CompletionQueue completions;
    private final RegisteredBuffer units;
    private final int unitBytes;
    private final int sendSlots;
    private final int receives;
    private final int[] slotState;
    private final int[] generation;
    private final int[] free;
    private int freeCount;
    private final WorkCompletion completion = new WorkCompletion();
    private final SrpResponse response = new SrpResponse();
    private final TaskManagement management = new TaskManagement();
    private final CommandEncoder encoder = new CommandEncoder();
    private Listener listener = (slot, unit, ignored) -> { };
    private LoginOutcome outcome = new LoginOutcome.Waiting();
    private Optional<LoginResponse> login = Optional.empty();
    private boolean disconnected;
    private boolean dropped;
    private int credits;
    private int outstanding;
    private int creditViolations;
    private int unknownTags;
    private int creditRequests;
    private int events;
    private int failures;
    private boolean repostReceives = true;
    private String lastFailure = "none";

    InitiatorChannel(CmId id, ProtectionDomain pd, InitiatorSettings settings, Runnable notification)
            throws RdmaException {
        this.id = id;
        unitBytes = (settings.iuLength() + 63) & ~63;
        sendSlots = settings.queueSize() + SPARE_SLOTS;
        receives = settings.queueSize() + SPARE_SLOTS;
        slotState = new int[sendSlots];
        generation = new int[sendSlots];
        free = new int[sendSlots];
        for (int i = sendSlots - 1; i >= 0; i--) {
            free[freeCount++] = i;
        }
        units = RegisteredBuffer.allocate(pd, (long) unitBytes * (sendSlots + receives), Set.of());
        completions = id.device().createCompletionQueue(2 * (sendSlots + receives), notification);
        queuePair = id.createQueuePair(
                new QueuePairSpec(pd, completions, completions, Optional.empty(), sendSlots, receives));
        for (int i = 0; i < receives; i++) {
            postReceive(i);
        }
        queuePair.ringDoorbell();
    }

    void connect(byte[] privateData) throws RdmaException {
        id.connect(new ConnectionParameters(4, 0, 7, 7, true, false), privateData);
    }

    /** The connection manager's id; for tests that misuse it. */
    public CmId id() {
        return id;
    }

    /** Sets who is told of responses. */
    public void listener(Listener told) {
        listener = told;
    }

    void handle(CmEvent event) {
        switch (event) {
            case CmEvent.Established established -> {
                login = LoginResponse.decode(established.privateData());
                outcome = login.isPresent()
                        ? new LoginOutcome.LoggedIn()
                        : new LoginOutcome.Failed("no SRP_LOGIN_RSP in the reply");
                credits = login.map(LoginResponse::requestLimit).orElse(0);
            }
            case CmEvent.Rejected rejected -> {
                outcome = new LoginOutcome.Rejected(rejected.reason(), LoginReject.decode(rejected.privateData()));
                disconnected = true;
            }
            case CmEvent.Unreachable _ -> fail("unreachable");
            case CmEvent.ConnectError error -> fail(error.reason());
            case CmEvent.Disconnected _ -> {
                disconnected = true;
                id.disconnect();
            }
            case CmEvent.DeviceRemoved _ -> fail("device removed");
            case CmEvent.TimewaitExit _ -> disconnected = true;
            case CmEvent.AddressChanged _ -> { }
            case CmEvent.ConnectRequest _ -> throw new IllegalStateException("an initiator does not listen");
        }
    }

    private void fail(String why) {
        disconnected = true;
        if (outcome instanceof LoginOutcome.Waiting) {
            outcome = new LoginOutcome.Failed(why);
        }
    }

    /** How the login ended. */
    public LoginOutcome outcome() {
        return outcome;
    }

    /** What the target granted. */
    public LoginResponse login() {
        return login.orElseThrow();
    }

    /** Whether the connection has ended. */
    public boolean disconnected() {
        return disconnected;
    }

    /** Takes what has completed; true when there was something. */
    boolean poll() {
        boolean any = false;
        while (!dropped && completions.poll(completion)) {
            any = true;
            if (completion.opcode() == WorkCompletion.Opcode.RECEIVE) {
                received();
            } else {
                sent();
            }
        }
        if (any && !dropped) {
            queuePair.ringDoorbell();
        }
        return any;
    }

    void arm() {
        if (!dropped) {
            completions.arm();
        }
    }

    private void sent() {
        if (completion.status() != WorkCompletion.Status.SUCCESS) {
            failed();
        }
        release((int) completion.workRequestId(), SENDING);
    }

    private void failed() {
        failures++;
        lastFailure = completion.toString();
    }

    private void release(int slot, int part) {
        slotState[slot] &= ~part;
        if (slotState[slot] == 0) {
            generation[slot] = (generation[slot] + 1) & SLOT_MASK;
            free[freeCount++] = slot;
        }
    }

    private void received() {
        int index = (int) completion.workRequestId();
        if (completion.status() != WorkCompletion.Status.SUCCESS) {
            failed();
            return;
        }
        long offset = receiveOffset(index);
        int length = completion.byteLength();
        MemorySegment memory = units.memory();
        switch (SrpOpcode.of(memory, offset, length)) {
            case SrpOpcode.RSP -> responded(memory, offset, length);
            case SrpOpcode.CRED_REQ -> {
                if (CreditRequest.validate(memory, offset, length) == UnitProblem.NONE) {
                    creditRequests++;
                    gain(CreditRequest.requestLimitDelta(memory, offset));
                    answer(SrpOpcode.CRED_RSP, CreditRequest.tag(memory, offset));
                }
            }
            case SrpOpcode.AER_REQ -> {
                if (EventRequest.validate(memory, offset, length) == UnitProblem.NONE) {
                    events++;
                    gain(EventRequest.requestLimitDelta(memory, offset));
                    answer(SrpOpcode.AER_RSP, EventRequest.tag(memory, offset));
                }
            }
            default -> unknownTags++;
        }
        if (repostReceives) {
            try {
                postReceive(index);
            } catch (RdmaException e) {
                throw new IllegalStateException("a receive that was taken cannot be posted again", e);
            }
        }
    }

    private void responded(MemorySegment memory, long offset, int length) {
        if (response.wrap(memory, offset, length).validate() != UnitProblem.NONE) {
            unknownTags++;
            return;
        }
        int slot = (int) (response.tag() & SLOT_MASK);
        boolean known = slot < sendSlots && (slotState[slot] & AWAITING) != 0 && response.tag() == tag(slot);
        if (known) {
            outstanding--;
            gain(response.requestLimitDelta());
            listener.responded(slot, memory, response);
            release(slot, AWAITING);
        } else {
            unknownTags++;
            gain(response.requestLimitDelta());
        }
    }

    private void gain(int delta) {
        credits += delta;
        if (delta < 0 || credits + outstanding > login().requestLimit()) {
            creditViolations++;
        }
    }

    private void answer(int opcode, long tag) {
        int slot = take(SENDING);
        if (opcode == SrpOpcode.CRED_RSP) {
            CreditResponse.encode(units.memory(), sendOffset(slot), tag);
        } else {
            EventResponse.encode(units.memory(), sendOffset(slot), tag);
        }
        try {
            post(slot, CreditResponse.BYTES);
        } catch (RdmaException e) {
            throw new IllegalStateException("no room for an answer", e);
        }
    }

    /** Whether a command may be sent: the last credit is kept for task management. */
    public boolean canSend() {
        return credits > 1 && freeCount > SPARE_SLOTS / 2;
    }

    /** Sends a command; {@link #flush} must follow. Returns its slot. */
    public int send(ScsiCommand command) throws RdmaException {
        int slot = take(SENDING | AWAITING);
        int offset = login().immediateData() ? InitiatorSettings.IMMEDIATE_OFFSET : 0;
        int length = encoder.encode(units.memory(), sendOffset(slot), tag(slot), command, offset);
        spend();
        post(slot, length);
        return slot;
    }

    /** Sends a task management request; {@link #flush} must follow. Returns its slot. */
    public int manage(long lun, int function, long taskTag) throws RdmaException {
        int slot = take(SENDING | AWAITING);
        management.wrap(units.memory(), sendOffset(slot), TaskManagement.BYTES)
                .encode(tag(slot), lun, function, taskTag);
        spend();
        post(slot, TaskManagement.BYTES);
        return slot;
    }

    /**
     * Takes a slot whose unit the caller writes himself, at {@link #unit}: the way of the benchmark, which writes the
     * unchanging parts once.
     */
    public int takeSlot() {
        return take(SENDING | AWAITING);
    }

    /** Sends the unit in a slot got from {@link #takeSlot}; its tag must be {@link #tag}. */
    public void sendSlot(int slot, int length) throws RdmaException {
        spend();
        post(slot, length);
    }

    /** Sends any bytes, which cost a credit and whose response, if it has the slot's tag, is awaited. */
    public int sendRaw(byte[] unit) throws RdmaException {
        int slot = take(SENDING | AWAITING);
        MemorySegment.copy(MemorySegment.ofArray(unit), 0, units.memory(), sendOffset(slot), unit.length);
        spend();
        post(slot, unit.length);
        return slot;
    }

    /** The same, with the slot's tag put into the unit, as far as it is long enough to have one. */
    public int sendTagged(byte[] unit) throws RdmaException {
        int slot = takeSlot();
        MemorySegment into = unit(slot);
        MemorySegment.copy(MemorySegment.ofArray(unit), 0, into, 0, unit.length);
        if (unit.length >= TAG_OFFSET + Long.BYTES) {
            into.set(BIG_ENDIAN_LONG, TAG_OFFSET, tag(slot));
        }
        sendSlot(slot, unit.length);
        return slot;
    }

    /** Gives up waiting for a response, as after an abort; the slot is not used again. */
    public void abandon(int slot) {
        if ((slotState[slot] & AWAITING) != 0) {
            outstanding--;
            release(slot, AWAITING);
        }
    }

    /** The tag that the unit in a slot must have now. */
    public long tag(int slot) {
        return (long) generation[slot] << 16 | slot;
    }

    /** Where the unit of a slot lies. */
    public MemorySegment unit(int slot) {
        return units.memory().asSlice(sendOffset(slot), unitBytes);
    }

    /** Makes what was sent visible. */
    public void flush() {
        queuePair.ringDoorbell();
    }

    private int take(int state) {
        if (freeCount == 0) {
            throw new IllegalStateException("no free slot");
        }
        int slot = free[--freeCount];
        slotState[slot] = state;
        return slot;
    }

    private void spend() {
        credits--;
        outstanding++;
    }

    private void post(int slot, int length) throws RdmaException {
        queuePair.postSend(slot, units.address(sendOffset(slot)), length, units.region().lkey(), QueuePair.SIGNALED);
    }

    private void postReceive(int index) throws RdmaException {
        queuePair.postReceive(index, units.address(receiveOffset(index)), unitBytes, units.region().lkey());
    }

    private long sendOffset(int slot) {
        return (long) slot * unitBytes;
    }

    private long receiveOffset(int index) {
        return (long) (sendSlots + index) * unitBytes;
    }

    /** Credits in hand. */
    public int credits() {
        return credits;
    }

    /** Requests without a response. */
    public int outstanding() {
        return outstanding;
    }

    /** How often the target gave back more credits than it could have. */
    public int creditViolations() {
        return creditViolations;
    }

    /** Units that answer nothing that was asked. */
    public int unknownTags() {
        return unknownTags;
    }

    /** SRP_CRED_REQ units received. */
    public int creditRequests() {
        return creditRequests;
    }

    /** SRP_AER_REQ units received. */
    public int events() {
        return events;
    }

    /** Completions with an error. */
    public int failures() {
        return failures;
    }

    /** The last completion with an error. */
    public String lastFailure() {
        return lastFailure;
    }

    /** From now on no receive is posted again, so that the target soon meets receiver-not-ready. */
    public void starve() {
        repostReceives = false;
    }

    /** Asks the connection manager for the end of the connection. */
    public void disconnect() {
        id.disconnect();
    }

    /** Falls silent: nothing the target sends is answered any more, and it is not told. */
    public void vanish() {
        queuePair.moveToError();
    }

    @Override
    public void close() {
        if (!dropped) {
            dropped = true;
            queuePair.close();
            completions.close();
            units.close();
            id.destroy();
        }
    }
}
