package io.jsrpt.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.scsi.DeviceServer;
import io.jsrpt.scsi.LogicalUnit;
import io.jsrpt.scsi.LogicalUnitIdentity;
import io.jsrpt.scsi.LogicalUnitSettings;
import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.srp.CreditRequest;
import io.jsrpt.srp.CreditResponse;
import io.jsrpt.srp.SrpOpcode;
import io.jsrpt.srp.SrpResponse;
import io.jsrpt.srp.TargetLogout;
import io.jsrpt.srp.UnitProblem;
import io.jsrpt.testing.FakeCmId;
import io.jsrpt.testing.FakeDevice;
import io.jsrpt.testing.FakeQueuePair;
import io.jsrpt.testing.ManualStore;
import io.jsrpt.testing.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A channel over the fake fabric, with two logical units, and the initiator's view of it. It polls only when the
 * channel asked for it, and checks at every response what must hold for credits and receives.
 */
final class ChannelRig implements ChannelEvents {
    static final int BLOCKS = 8192;
    static final ChannelSettings SMALL = new ChannelSettings(8, 64, 8276, 256, 1 << 20, 2 << 20);

    final FakeDevice device;
    final FakeCmId id;
    final FakeQueuePair qp;
    final ManualStore store = new ManualStore(BLOCKS);
    final ManualStore store1 = new ManualStore(BLOCKS);
    final LogicalUnit unit0 = unit(store, "one");
    final LogicalUnit unit1 = unit(store1, "two");
    final ChannelIo io;
    final List<TaskManagementRequest> requests = new ArrayList<>();
    final List<Throwable> storeFailures = new ArrayList<>();
    final Map<Long, Response> responses = new LinkedHashMap<>();
    final List<Integer> logouts = new ArrayList<>();
    final List<PollOutcome> outcomes = new ArrayList<>();
    private final ProtectionDomain pd;
    int credits;
    int creditRequests;
    int wakeUps;
    private boolean awake;

    /** What the initiator makes of an SRP_RSP. */
    record Response(long tag, int status, int delta, long inResidual, long outResidual, byte[] sense, int code,
            boolean solicited) {
        int senseKey() {
            return sense.length > 2 ? sense[2] & 0x0f : 0;
        }

        int additionalSense() {
            return (sense[12] & 0xff) << 8 | (sense[13] & 0xff);
        }
    }

    ChannelRig() throws RdmaException {
        this(SMALL);
    }

    ChannelRig(ChannelSettings settings) throws RdmaException {
        this(new FakeDevice(), settings, new AgreedLogin(256, Units.IMMEDIATE_OFFSET, true, true));
    }

    ChannelRig(FakeDevice device, ChannelSettings settings, AgreedLogin agreed) throws RdmaException {
        this.device = device;
        id = new FakeCmId(device, ServiceId.rdmaTcp(5555), new Gid(1, 1), new Gid(1, 2));
        pd = device.allocateProtectionDomain();
        try {
            io = ChannelIo.open(id, pd, settings, agreed, new DeviceServer(Map.of(0, unit0, 1, unit1)),
                    new Nexus(1, 2, 3, 4), this);
        } catch (RdmaException e) {
            pd.close();
            throw e;
        }
        qp = id.queuePair();
        credits = io.initialCredits();
    }

    /** A channel that is live. */
    static ChannelRig live() throws RdmaException {
        return new ChannelRig().goLive();
    }

    static ChannelRig live(ChannelSettings settings) throws RdmaException {
        return new ChannelRig(settings).goLive();
    }

    ChannelRig goLive() {
        io.live();
        poll();
        settle();
        qp.takeDoorbells();
        return this;
    }

    private static LogicalUnit unit(ManualStore store, String name) {
        return new LogicalUnit(LogicalUnitIdentity.derived("TEST", name), store,
                LogicalUnitSettings.defaults(store.blockSize())
                        .withMaxTransferBlocks((8 << 20) / store.blockSize()));
    }

    @Override
    public void wakeUp() {
        assertTrue(!awake, "a second wake-up before the poll");
        awake = true;
        wakeUps++;
    }

    @Override
    public void taskManagement(TaskManagementRequest request) {
        requests.add(request);
    }

    @Override
    public void storeFailed(long lun, Throwable cause) {
        storeFailures.add(cause);
    }

    /** One poll, asked for or not. */
    PollOutcome poll() {
        awake = false;
        PollOutcome outcome = io.poll();
        if (!(outcome instanceof PollOutcome.Continue)) {
            outcomes.add(outcome);
        }
        return outcome;
    }

    /** Polls if the channel asked for it; whether it had. */
    boolean pollIfAwake() {
        if (awake) {
            poll();
            return true;
        }
        return false;
    }

    /** Lets the channel and the fabric work until both are idle. */
    void settle() {
        boolean more;
        do {
            more = pollIfAwake();
            while (qp.work()) {
                more = true;
            }
            takeResponses();
        } while (more);
    }

    /** The initiator sends a unit that costs a credit. */
    void send(byte[] unit) {
        assertTrue(credits > 0, "the initiator has no credit");
        credits--;
        qp.deliver(unit);
    }

    /** Sends and lets everything come to rest. */
    void run(byte[] unit) {
        send(unit);
        settle();
    }

    /** Sends a command, lets everything come to rest, and expects the response. */
    Response call(byte[] unit) {
        run(unit);
        long tag = MemorySegment.ofArray(unit).get(ValueLayout.JAVA_LONG_UNALIGNED
                .withOrder(java.nio.ByteOrder.BIG_ENDIAN), 8);
        assertTrue(responses.containsKey(tag), "no response of " + tag);
        return responses.remove(tag);
    }

    void takeResponses() {
        for (FakeQueuePair.Sent sent : qp.takeSent()) {
            MemorySegment unit = MemorySegment.ofArray(sent.bytes());
            switch (sent.bytes()[0] & 0xff) {
                case SrpOpcode.RSP -> response(unit, sent);
                case SrpOpcode.CRED_REQ -> {
                    creditRequests++;
                    give(CreditRequest.requestLimitDelta(unit, 0));
                }
                case SrpOpcode.T_LOGOUT -> logouts.add(TargetLogout.reason(unit, 0));
                default -> throw new AssertionError("a unit with opcode " + sent.bytes()[0]);
            }
        }
    }

    /** The initiator answers SRP_CRED_REQ. */
    void answerCreditRequest() {
        byte[] unit = new byte[CreditResponse.BYTES];
        CreditResponse.encode(MemorySegment.ofArray(unit), 0, creditRequests);
        qp.deliver(unit);
    }

    private void response(MemorySegment unit, FakeQueuePair.Sent sent) {
        SrpResponse r = new SrpResponse().wrap(unit, 0, sent.bytes().length);
        assertEquals(UnitProblem.NONE, r.validate());
        assertEquals(sent.solicited(), r.isSolicited());
        byte[] sense = unit.asSlice(r.senseLength() == 0 ? 0 : r.senseOffset(), r.senseLength())
                .toArray(ValueLayout.JAVA_BYTE);
        Response earlier = responses.put(r.tag(), new Response(r.tag(), r.status(), r.requestLimitDelta(),
                r.dataInResidual(), r.dataOutResidual(), sense, r.taskManagementCode(), sent.solicited()));
        assertEquals(null, earlier, "two responses of one tag");
        give(r.requestLimitDelta());
    }

    private void give(int delta) {
        credits += delta;
        assertTrue(credits <= io.initialCredits(), "more credits than at login: " + credits);
        assertTrue(credits <= qp.receivesPosted(), credits + " credits for " + qp.receivesPosted() + " receives");
    }

    RemoteMemory.Region region(int bytes) {
        return device.remote().register(bytes);
    }

    /** A region with bytes that tell themselves apart. */
    RemoteMemory.Region pattern(int bytes, int seed) {
        RemoteMemory.Region region = region(bytes);
        fill(region.bytes(), seed);
        return region;
    }

    static void fill(byte[] bytes, int seed) {
        int x = seed * 0x9e37_79b9 + 1;
        for (int i = 0; i < bytes.length; i++) {
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
            bytes[i] = (byte) x;
        }
    }

    /** Nothing is under way, and nothing has leaked. */
    void assertIdle() {
        ChannelStatistics s = io.statistics();
        assertEquals(0, s.contextsInUse());
        assertEquals(0, s.unitsWaiting());
        assertEquals(0, s.storeOperations());
        assertEquals(0, s.poolUnitsTaken());
        assertEquals(0, s.requestsUnderWay());
        assertEquals(io.initialCredits() + 2, s.receivesPosted());
        assertEquals(s.receivesPosted(), qp.receivesPosted());
        assertEquals(io.initialCredits(), s.creditsHeld());
        assertEquals(io.initialCredits(), credits);
        assertEquals(0, s.creditOverruns());
    }

    /** Ends the channel in order, and expects that nothing stays open. */
    void shutDown() {
        io.beginDrain();
        while (!io.drained()) {
            assertTrue(pollIfAwake(), "not drained, and not to be polled");
        }
        io.close();
        assertClosed();
    }

    void assertClosed() {
        assertEquals(Map.of("protection-domains", 1), device.open());
        pd.close();
    }
}
