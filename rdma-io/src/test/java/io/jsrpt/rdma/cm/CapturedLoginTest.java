package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.cm.CmMessage.Drep;
import io.jsrpt.rdma.cm.CmMessage.Rej;
import io.jsrpt.rdma.cm.CmMessage.Rep;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The engine in the place of the kernel target: it gets what Linux sent, and answers as the kernel did. */
class CapturedLoginTest {
    private final Node target = new Node("10.77.0.3", 3, s -> s);

    private static final ConnectionParameters SRPT = new ConnectionParameters(4, 4, 7, 7, true, false);

    /** An initiator's datagram with the local communication id of ours in the place of the kernel's. */
    private static byte[] to(CmConnection c, String name) {
        byte[] mad = Captured.mad(name);
        ByteBuffer.wrap(mad).putInt(28, c.localCommId());
        return mad;
    }

    private CmEvent.ConnectRequest request(String name) {
        target.engine.listen(Node.SERVICE, Node.LISTENER);
        target.receive(Captured.INITIATOR, Captured.mad(name));
        return target.eventOne(CmEvent.ConnectRequest.class);
    }

    @Test
    void requestReachesTheListenerWithoutTheCmaHeader() {
        CmEvent.ConnectRequest request = request("req-channel-0");
        assertEquals(new ConnectionParameters(4, 0, 7, 7, true, false), request.parameters());
        assertEquals(56, request.privateData().length);
        assertEquals(0x0006, ByteBuffer.wrap(request.privateData()).getShort(8));
        assertEquals(PathMtu.MTU_4096, request.pathMtu());
        assertEquals(0xffff, request.partitionKey());
        assertEquals(0x11, target.connections.get(request.id()).remoteQueuePair().orElseThrow());
    }

    @Test
    void replyEqualsTheKernelsWhereTheValuesAreTheSame() {
        byte[] kernel = Captured.mad("rep-channel-0");
        CmConnection c = target.connections.get(request("req-channel-0").id());
        target.engine.accept(c, 0x11, SRPT, Arrays.copyOfRange(kernel, 24 + 36, 256));
        byte[] ours = target.sent.element().mad().clone();
        ByteBuffer b = ByteBuffer.wrap(ours);
        // These differ by nature: our communication id, our starting PSN, our GUID.
        b.putInt(24, 0xd7e3_97be).put(44, kernel, 44, 3).putLong(52, 0x5054_00ff_fe77_0003L);
        // The kernel offers 4 responder resources to an initiator that asked for none; ours are capped by the request.
        assertEquals(0, ours[48]);
        ours[48] = kernel[48];
        assertArrayEquals(kernel, ours);
    }

    @Test
    void wholeConversationRuns() {
        CmConnection c = target.connections.get(request("req-channel-0").id());
        target.engine.accept(c, 0x11, SRPT, Node.NOTHING);
        Rep rep = target.sentOne(Rep.class);
        assertEquals(
                new ReadyToReceive(
                        0x11, 0x11, rep.reply().startingPsn(),
                        PathMtu.MTU_4096, 0, Captured.INITIATOR, 12, 0, 64, 0xffff),
                target.rtr.getFirst());
        target.receive(Captured.INITIATOR, to(c, "rtu-channel-0"));
        CmEvent.Established established = target.eventOne(CmEvent.Established.class);
        assertEquals(new ConnectionParameters(0, 4, 7, 7, true, false), established.parameters());
        assertEquals(new ReadyToSend(0x3b_c088, 19, 7, 7, 4), target.rts.getFirst());
        target.receive(Captured.INITIATOR, to(c, "dreq"));
        byte[] drep = target.sent.element().mad();
        assertEquals(new Drep(0x2_dceb_9a01L, c.localCommId(), 0x019a_ebdc), target.sentOne(Drep.class));
        assertEquals(256, drep.length);
        target.eventOne(CmEvent.Disconnected.class);
        assertEquals(Node.Qp.ERROR, target.queuePairs.get(c));
        target.advance(4_096L << 19);
        target.eventOne(CmEvent.TimewaitExit.class);
        assertEquals(0, target.engine.connections());
    }

    @Test
    void rejectEqualsTheKernelsByteForByte() {
        byte[] kernel = Captured.mad("rej-wrong-guid");
        CmConnection c = target.connections.get(request("req-wrong-guid").id());
        target.engine.reject(c, CmEvent.Rejected.CONSUMER_DEFINED, Arrays.copyOfRange(kernel, 24 + 84, 256));
        assertArrayEquals(kernel, target.sent.element().mad());
        assertEquals(28, target.sentOne(Rej.class).reason());
    }

    @Test
    void bothChannelsOfALoginAreTakenSideBySide() {
        CmConnection first = target.connections.get(request("req-channel-0").id());
        target.receive(Captured.INITIATOR, Captured.mad("req-channel-1"));
        CmConnection second = target.requested();
        target.engine.accept(first, 0x11, SRPT, Node.NOTHING);
        target.engine.accept(second, 0x12, SRPT, Node.NOTHING);
        target.receive(Captured.INITIATOR, to(second, "rtu-channel-1"));
        target.receive(Captured.INITIATOR, to(first, "rtu-channel-0"));
        assertEquals(2, target.events.size());
        assertEquals(2, target.rts.size());
    }
}
