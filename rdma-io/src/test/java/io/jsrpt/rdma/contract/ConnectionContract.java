package io.jsrpt.rdma.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.QueuePair;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.rdma.WorkCompletion.Status;
import io.jsrpt.rdma.contract.ProviderContract.Scenario;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** How connections come to be, carry private data, are refused, and end. */
final class ConnectionContract {
    private static final byte[] NOTHING = {};

    private ConnectionContract() {}

    static List<Scenario> scenarios() {
        return List.of(
                new Scenario("private data goes both ways, by both kinds of service id", ConnectionContract::connects),
                new Scenario("a reject carries its reason and private data", ConnectionContract::rejects),
                new Scenario("no one listens", ConnectionContract::noOneListens),
                new Scenario("a destroyed listener does not listen", ConnectionContract::destroyedListener),
                new Scenario("a service is listened to once", ConnectionContract::listensOnce),
                new Scenario("a request that is destroyed is rejected", ConnectionContract::destroyedRequest),
                new Scenario("two connections at a time", ConnectionContract::twoAtATime),
                new Scenario("the active side disconnects", (l, r) -> disconnects(l, r, true)),
                new Scenario("the passive side disconnects", (l, r) -> disconnects(l, r, false)),
                new Scenario("both disconnect at once", ConnectionContract::bothDisconnect),
                new Scenario("destroying a connected id tells the peer", ConnectionContract::destroyedWhileConnected),
                new Scenario("nothing is sent before the connection", ConnectionContract::notYetConnected),
                new Scenario("receives before the connection", ConnectionContract::receivesBeforehand),
                new Scenario("private data that is too long is refused", ConnectionContract::privateDataTooLong));
    }

    private static void connects(Side left, Side right) throws Exception {
        for (ServiceId service : left.bothServices()) {
            int most = service.rdmaTcpPort().isPresent() ? 56 : 92;
            for (int bytes : new int[] {0, 1, 55, most}) {
                connects(left, right, service, random(bytes), random(bytes == most ? 196 : bytes));
            }
        }
    }

    private static void connects(Side left, Side right, ServiceId service, byte[] ask, byte[] answer)
            throws Exception {
        CmId listener = right.events().listen(service);
        Endpoint active = left.initiate(right, service);
        assertEquals(OptionalInt.empty(), active.id().remoteQueuePair());
        active.id().connect(new ConnectionParameters(3, 2, 5, 6, true, false), ask);

        CmEvent.ConnectRequest request = right.next(CmEvent.ConnectRequest.class);
        assertSame(listener, request.listener());
        assertNotEquals(listener.number(), request.id().number());
        assertBeginsWith(ask, request.privateData(), service.rdmaTcpPort().isPresent() ? 56 : 92);
        assertEquals(3, request.parameters().responderResources());
        assertEquals(2, request.parameters().initiatorDepth());
        assertEquals(5, request.parameters().retryCount());
        assertEquals(6, request.parameters().rnrRetryCount());
        assertEquals(left.gid(), request.id().remote());
        assertEquals(right.gid(), request.id().local());
        assertEquals(service, request.id().service());
        assertEquals(OptionalInt.of(active.qp().number()), request.id().remoteQueuePair());
        assertTrue(request.pathMtu().code() <= left.device().ports().getFirst().maxMtu().code());
        assertTrue(request.pathMtu().code() <= right.device().ports().getFirst().maxMtu().code());

        Endpoint passive = right.endpoint(request.id(), Optional.empty());
        passive.id().accept(new ConnectionParameters(2, 1, 7, 7, true, false), answer);
        CmEvent.Established up = left.next(CmEvent.Established.class);
        assertSame(active.id(), up.id());
        assertBeginsWith(answer, up.privateData(), 196);
        assertEquals(2, up.parameters().responderResources());
        assertEquals(1, up.parameters().initiatorDepth());
        assertEquals(OptionalInt.of(passive.qp().number()), active.id().remoteQueuePair());
        assertSame(passive.id(), right.next(CmEvent.Established.class).id());
        listener.destroy();
    }

    private static void assertBeginsWith(byte[] sent, byte[] received, int most) {
        // private data has a fixed room in the message, so what is behind the sent bytes is zero, if it is told at all
        assertTrue(received.length >= sent.length && received.length <= most, "length " + received.length);
        assertArrayEquals(Arrays.copyOf(sent, received.length), received);
    }

    private static byte[] random(int bytes) {
        byte[] random = new byte[bytes];
        new Random(bytes).nextBytes(random);
        return random;
    }

    private static void rejects(Side left, Side right) throws Exception {
        for (ServiceId service : left.bothServices()) {
            CmId listener = right.events().listen(service);
            Endpoint active = left.initiate(right, service);
            active.id().connect(Side.PARAMETERS, NOTHING);
            CmId request = right.next(CmEvent.ConnectRequest.class).id();
            byte[] why = random(service.rdmaTcpPort().isPresent() ? 32 : 148);
            request.reject(CmEvent.Rejected.CONSUMER_DEFINED, why);
            request.destroy();
            CmEvent.Rejected rejected = left.next(CmEvent.Rejected.class);
            assertSame(active.id(), rejected.id());
            assertEquals(CmEvent.Rejected.CONSUMER_DEFINED, rejected.reason());
            assertBeginsWith(why, rejected.privateData(), 148);
            listener.destroy();
        }
    }

    private static void noOneListens(Side left, Side right) throws Exception {
        for (ServiceId service : left.bothServices()) {
            Endpoint active = left.initiate(right, service);
            active.id().connect(Side.PARAMETERS, NOTHING);
            CmEvent.Rejected rejected = left.next(CmEvent.Rejected.class);
            assertEquals(CmEvent.Rejected.INVALID_SERVICE_ID, rejected.reason());
        }
    }

    private static void destroyedListener(Side left, Side right) throws Exception {
        right.events().listen(Side.RDMA_CM).destroy();
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        active.id().connect(Side.PARAMETERS, NOTHING);
        assertEquals(
                CmEvent.Rejected.INVALID_SERVICE_ID, left.next(CmEvent.Rejected.class).reason());
    }

    private static void listensOnce(Side left, Side right) throws Exception {
        for (ServiceId service : left.bothServices()) {
            CmId listener = right.events().listen(service);
            assertThrows(RdmaException.class, () -> right.events().listen(service));
            listener.destroy();
            right.listen(service);
        }
        connectsTo(left, right, Side.RDMA_CM);
        connectsTo(left, right, left.otherService());
    }

    private static Endpoint connectsTo(Side left, Side right, ServiceId service) throws Exception {
        Endpoint active = left.initiate(right, service);
        active.id().connect(Side.PARAMETERS, NOTHING);
        Endpoint passive = Endpoint.accept(right, Side.PARAMETERS, Optional.empty());
        assertSame(active.id(), left.next(CmEvent.Established.class).id());
        assertSame(passive.id(), right.next(CmEvent.Established.class).id());
        return passive;
    }

    private static void destroyedRequest(Side left, Side right) throws Exception {
        right.listen(Side.RDMA_CM);
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        active.id().connect(Side.PARAMETERS, NOTHING);
        right.next(CmEvent.ConnectRequest.class).id().destroy();
        assertSame(active.id(), left.next(CmEvent.Rejected.class).id());
    }

    private static void twoAtATime(Side left, Side right) throws Exception {
        right.listen(Side.RDMA_CM);
        Endpoint one = left.initiate(right, Side.RDMA_CM);
        Endpoint two = left.initiate(right, Side.RDMA_CM);
        one.id().connect(Side.PARAMETERS, new byte[] {1});
        two.id().connect(Side.PARAMETERS, new byte[] {2});
        CmEvent.ConnectRequest first = right.next(CmEvent.ConnectRequest.class);
        CmEvent.ConnectRequest second = right.next(CmEvent.ConnectRequest.class);
        // answered in the other order
        Endpoint acceptedSecond = right.endpoint(second.id(), Optional.empty());
        acceptedSecond.id().accept(Side.PARAMETERS, second.privateData());
        Endpoint acceptedFirst = right.endpoint(first.id(), Optional.empty());
        acceptedFirst.id().accept(Side.PARAMETERS, first.privateData());
        for (int i = 0; i < 2; i++) {
            CmEvent.Established up = left.next(CmEvent.Established.class);
            assertSame(up.privateData()[0] == 1 ? one.id() : two.id(), up.id());
        }
        CmId up = right.next(CmEvent.Established.class).id();
        assertNotEquals(up, right.next(CmEvent.Established.class).id());
        assertNotEquals(acceptedFirst.qp().number(), acceptedSecond.qp().number());
    }

    private static void disconnects(Side left, Side right, boolean byActive) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        Endpoint one = byActive ? pair.left() : pair.right();
        Endpoint other = byActive ? pair.right() : pair.left();
        MemoryRegion a = one.side().region(64);
        MemoryRegion b = other.side().region(64);
        one.postReceive(1, a, 0, 64);
        other.postReceive(2, b, 0, 64);
        one.id().disconnect();
        one.expectReceive(1, Status.WORK_REQUEST_FLUSHED);
        assertSame(other.id(), other.side().next(CmEvent.Disconnected.class).id());
        other.id().disconnect();
        other.expectReceive(2, Status.WORK_REQUEST_FLUSHED);
        assertSame(one.id(), one.side().next(CmEvent.Disconnected.class).id());
        one.id().disconnect();
        one.send(3, a, 0, 1);
        one.expectSend(3, Status.WORK_REQUEST_FLUSHED, Opcode.SEND);
    }

    private static void bothDisconnect(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        pair.left().id().disconnect();
        pair.right().id().disconnect();
        assertSame(pair.left().id(), left.next(CmEvent.Disconnected.class).id());
        assertSame(pair.right().id(), right.next(CmEvent.Disconnected.class).id());
    }

    private static void destroyedWhileConnected(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        left.forget(pair.left());
        pair.left().close();
        assertSame(pair.right().id(), right.next(CmEvent.Disconnected.class).id());
        assertThrows(IllegalStateException.class, pair.left().id()::destroy);
    }

    private static void notYetConnected(Side left, Side right) throws Exception {
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        MemoryRegion region = left.region(64);
        long address = region.memory().address();
        int lkey = region.lkey();
        QueuePair qp = active.qp();
        assertThrows(RdmaException.class, () -> qp.postSend(1, address, 1, lkey, QueuePair.SIGNALED));
        assertThrows(RdmaException.class, () -> qp.postRdmaWrite(1, address, 1, lkey, 0, 0, QueuePair.SIGNALED));
        assertThrows(RdmaException.class, () -> qp.postRdmaRead(1, address, 1, lkey, 0, 0, QueuePair.SIGNALED));
        active.expectNoMore();
    }

    private static void receivesBeforehand(Side left, Side right) throws Exception {
        right.listen(Side.RDMA_CM);
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        MemoryRegion to = left.region(64);
        MemoryRegion from = right.region(64);
        active.postReceive(7, to, 0, 64);
        active.id().connect(Side.PARAMETERS, NOTHING);
        Endpoint passive = Endpoint.accept(right, Side.PARAMETERS, Optional.empty());
        left.next(CmEvent.Established.class);
        right.next(CmEvent.Established.class);
        passive.send(8, from, 0, 5);
        active.expectReceive(7, 5);
        passive.expectSend(8, Status.SUCCESS, Opcode.SEND);
    }

    private static void privateDataTooLong(Side left, Side right) throws Exception {
        for (ServiceId service : left.bothServices()) {
            int most = service.rdmaTcpPort().isPresent() ? 56 : 92;
            Endpoint active = left.initiate(right, service);
            assertThrows(
                    IllegalArgumentException.class, () -> active.id().connect(Side.PARAMETERS, new byte[most + 1]));
        }
        right.listen(Side.RDMA_CM);
        left.initiate(right, Side.RDMA_CM).id().connect(Side.PARAMETERS, NOTHING);
        Endpoint passive = right.endpoint(
                right.next(CmEvent.ConnectRequest.class).id(), Optional.empty());
        assertThrows(
                IllegalArgumentException.class, () -> passive.id().accept(Side.PARAMETERS, new byte[197]));
        assertThrows(IllegalArgumentException.class, () -> passive.id()
                .reject(CmEvent.Rejected.CONSUMER_DEFINED, new byte[149]));
        passive.id().reject(CmEvent.Rejected.CONSUMER_DEFINED, NOTHING);
        left.next(CmEvent.Rejected.class);
    }
}
