package io.jsrpt.rdma.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.CompletionQueue;
import io.jsrpt.rdma.DeviceAttributes;
import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.PortAttributes;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.SharedReceiveQueue;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.rdma.contract.ProviderContract.Scenario;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What devices tell of themselves, and that things close once, twice, and under load. */
final class LifecycleContract {
    private LifecycleContract() {}

    static List<Scenario> scenarios() {
        return List.of(
                new Scenario("devices and ports describe themselves", LifecycleContract::describes),
                new Scenario("closing twice does nothing", LifecycleContract::closesTwice),
                new Scenario("an id is destroyed once", LifecycleContract::destroysOnce),
                new Scenario("many connections come and go", LifecycleContract::comeAndGo),
                new Scenario("a queue pair closes with work outstanding", LifecycleContract::closesUnderLoad),
                new Scenario("a region closes under the peer's READs", LifecycleContract::deregistersUnderLoad),
                new Scenario("the event channel closes with connections", LifecycleContract::closesEventChannel),
                new Scenario("the service closes with everything open", LifecycleContract::closesService),
                new Scenario("keys are not used again at once", LifecycleContract::keysDiffer));
    }

    private static void describes(Side left, Side right) {
        for (Side side : List.of(left, right)) {
            Set<String> names = new HashSet<>();
            for (RdmaDevice device : side.service().devices()) {
                assertTrue(names.add(device.name()), "device name " + device.name());
                DeviceAttributes a = device.attributes();
                assertNotEquals(0, a.nodeGuid());
                assertTrue(a.maxQueuePairWorkRequests() >= Side.DEPTH);
                assertTrue(a.maxSharedReceiveQueueWorkRequests() >= Side.DEPTH);
                assertTrue(a.maxInitiatorDepth() >= 1 && a.maxResponderResources() >= 1);
                assertTrue(a.maxMessageBytes() >= 1 << 20);
                for (PortAttributes port : device.ports()) {
                    assertTrue(port.number() >= 1);
                    assertFalse(port.gids().isEmpty());
                }
            }
        }
    }

    private static void closesTwice(Side left, Side right) throws Exception {
        RdmaDevice device = left.device();
        ProtectionDomain pd = device.allocateProtectionDomain();
        MemoryRegion region = pd.register(left.memory(64), Set.of(Access.REMOTE_READ));
        CompletionQueue queue = device.createCompletionQueue(8, () -> { });
        SharedReceiveQueue shared = device.createSharedReceiveQueue(pd, 8);
        Endpoint endpoint = left.initiate(right, Side.RDMA_CM);
        endpoint.qp().close();
        for (int i = 0; i < 2; i++) {
            endpoint.qp().close();
            shared.close();
            queue.close();
            region.close();
            pd.close();
        }
    }

    private static void destroysOnce(Side left, Side right) throws Exception {
        CmId listener = right.events().listen(Side.RDMA_CM);
        CmId never = left.events().createId(right.gid(), Side.RDMA_CM);
        Endpoint active = left.initiate(right, Side.RDMA_CM);
        active.id().connect(Side.PARAMETERS, new byte[0]);
        CmId request = right.next(CmEvent.ConnectRequest.class).id();
        for (CmId id : List.of(never, request, listener)) {
            id.destroy();
            assertThrows(IllegalStateException.class, id::destroy);
        }
    }

    private static void comeAndGo(Side left, Side right) throws Exception {
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            Endpoint.Pair pair = Endpoint.connect(left, right);
            assertTrue(ids.add(pair.left().id().number()), "number of an id");
            pair.left().id().disconnect();
            right.next(CmEvent.Disconnected.class);
            left.next(CmEvent.Disconnected.class);
            left.forget(pair.left());
            right.forget(pair.right());
            pair.left().close();
            pair.right().close();
        }
    }

    private static void closesUnderLoad(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion to = left.region(1 << 20);
        MemoryRegion from = right.region(1 << 20, Access.REMOTE_READ);
        pair.left().postReceive(99, to, 0, 64);
        for (int i = 0; i < Side.DEPTH; i++) {
            pair.left().read(i, to, 0, 1 << 20, from.memory().address(), from.rkey());
        }
        left.forget(pair.left());
        pair.left().close();
        // nothing writes there any more
        to.memory().fill((byte) 0x42);
        right.next(CmEvent.Disconnected.class);
        assertEquals(-1, to.memory().asSlice(1).mismatch(to.memory().asSlice(0, (1 << 20) - 1)));
    }

    private static void deregistersUnderLoad(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion from = left.region(1 << 20);
        MemoryRegion to = right.region(1 << 20, Access.REMOTE_WRITE);
        for (int i = 0; i < Side.DEPTH; i++) {
            pair.left().write(i, from, 0, 1 << 20, to.memory().address(), to.rkey());
        }
        to.close();
        to.memory().fill((byte) 0x42);
        WorkCompletion last = pair.left().nextSend();
        while (last.workRequestId() != Side.DEPTH - 1) {
            last = pair.left().nextSend();
        }
        assertEquals(-1, to.memory().asSlice(1).mismatch(to.memory().asSlice(0, (1 << 20) - 1)));
    }

    private static void closesEventChannel(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        right.events().listen(right.otherService());
        pair.left().qp().close();
        pair.right().qp().close();
        left.forget(pair.left());
        right.forget(pair.right());
        left.events().close();
        right.events().close();
        left.events().close();
    }

    private static void closesService(Side left, Side right) throws Exception {
        Endpoint.Pair pair = Endpoint.connect(left, right);
        MemoryRegion region = left.region(64);
        pair.left().postReceive(1, region, 0, 64);
        right.listen(right.otherService());
        left.forget(pair.left());
        for (int i = 0; i < 2; i++) {
            left.closeService();
        }
    }

    private static void keysDiffer(Side left, Side right) throws Exception {
        int key;
        try (MemoryRegion first = left.pd().register(left.memory(64), Set.of(Access.REMOTE_READ))) {
            key = first.rkey();
        }
        MemoryRegion second = left.region(64, Access.REMOTE_READ);
        assertNotEquals(key, second.rkey(), "a peer that still holds the old key must not reach the new region");
        int one = right.region(64, Access.REMOTE_READ).rkey();
        assertNotEquals(one, right.region(64, Access.REMOTE_READ).rkey());
    }
}
