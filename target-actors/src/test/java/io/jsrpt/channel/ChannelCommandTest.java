package io.jsrpt.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.channel.ChannelRig.Response;
import io.jsrpt.channel.Units.Piece;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion.Opcode;
import io.jsrpt.srp.BufferFormats;
import io.jsrpt.testing.FakeDevice;
import io.jsrpt.testing.FakeQueuePair.Work;
import io.jsrpt.testing.RemoteMemory.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands and their data, in both directions, with every form of data buffer descriptor. */
class ChannelCommandTest {
    private static final int ILLEGAL_REQUEST = 5;
    private static final int INVALID_FIELD_IN_UNIT = 0x0e03;

    @Test
    void aReadWritesTheDataIntoTheInitiatorsBuffer() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        ChannelRig.fill(rig.store.bytes(), 7);
        Region region = rig.region(4096);
        Response response = rig.call(Units.directIn(1, 0, Units.read10(8, 8), Piece.all(region)));
        assertEquals(0, response.status());
        assertEquals(0, response.inResidual());
        assertEquals(1, response.delta());
        assertArrayEquals(Arrays.copyOfRange(rig.store.bytes(), 4096, 8192), region.bytes());
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void aWriteReadsTheDataFromTheInitiatorsBuffer() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        Region region = rig.pattern(4096, 3);
        assertEquals(0, rig.call(Units.directOut(1, 1, Units.write10(8, 8), Piece.all(region))).status());
        assertArrayEquals(region.bytes(), Arrays.copyOfRange(rig.store1.bytes(), 4096, 8192));
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void onlyTheSendOfAReadIsSignalledAndItFollowsTheWrites() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        List<Piece> pieces = pieces(rig, 5, 1024);
        rig.call(Units.indirectIn(1, 0, Units.read10(0, 10), pieces));
        List<Work> work = rig.qp.takeExecuted();
        assertEquals(6, work.size());
        assertTrue(work.subList(0, 5).stream().noneMatch(Work::signalled));
        assertTrue(work.subList(0, 5).stream().allMatch(w -> w.opcode() == Opcode.RDMA_WRITE));
        assertEquals(Opcode.SEND, work.get(5).opcode());
        assertTrue(work.get(5).signalled());
    }

    @Test
    void onlyTheLastRdmaReadOfAWriteIsSignalled() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.call(Units.indirectOut(1, 0, Units.write10(0, 10), pieces(rig, 5, 1024)));
        List<Boolean> signalled = rig.qp.takeExecuted().stream().map(Work::signalled).toList();
        assertEquals(List.of(false, false, false, false, true, true), signalled);
    }

    @Test
    void aPollRingsTheDoorbellOnceForAllItPosts() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        for (int i = 0; i < 8; i++) {
            rig.send(Units.directIn(i, 0, Units.read10(i, 1), Piece.all(rig.region(512))));
        }
        rig.poll();
        assertEquals(1, rig.qp.takeDoorbells());
        assertEquals(16, rig.qp.workWaiting());
    }

    @Test
    void immediateDataReachTheStoreWithoutACopyAndAligned() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        byte[] data = new byte[1024];
        ChannelRig.fill(data, 9);
        rig.store.hold(true);
        rig.send(Units.immediate(1, 0, Units.write10(4, 2), data));
        rig.settle();
        assertEquals(9, rig.qp.receivesPosted(), "the receive buffer is the command's");
        assertEquals(0, rig.io.statistics().poolUnitsTaken());
        assertTrue(rig.qp.takeExecuted().isEmpty(), "no RDMA READ");
        rig.store.completeAll();
        rig.settle();
        assertEquals(0, rig.responses.get(1L).status());
        assertArrayEquals(data, Arrays.copyOfRange(rig.store.bytes(), 2048, 3072));
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void anExternalTableIsFetchedFirst() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        List<Piece> pieces = pieces(rig, 300, 512);
        Region table = rig.region(16 * 300);
        Units.fillTable(pieces, table);
        pieces.forEach(piece -> ChannelRig.fill(piece.region().bytes(), piece.region().rkey()));
        assertEquals(0, rig.call(Units.externalOut(1, 0, Units.write10(0, 300), pieces, table)).status());
        for (int i = 0; i < 300; i++) {
            assertArrayEquals(pieces.get(i).region().bytes(),
                    Arrays.copyOfRange(rig.store.bytes(), i * 512, i * 512 + 512));
        }
        List<Piece> back = pieces(rig, 300, 512);
        Units.fillTable(back, table);
        assertEquals(0, rig.call(Units.externalIn(2, 0, Units.read10(0, 300), back, table)).status());
        for (int i = 0; i < 300; i++) {
            assertArrayEquals(pieces.get(i).region().bytes(), back.get(i).region().bytes());
        }
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void moreDescriptorsThanTheSendQueueHoldsGoInRounds() throws RdmaException {
        ChannelRig rig = ChannelRig.live(new ChannelSettings(4, 16, 65536, 256, 1 << 20, 2 << 20));
        List<Piece> pieces = pieces(rig, 255, 512);
        ChannelRig.fill(rig.store.bytes(), 5);
        assertEquals(0, rig.call(Units.indirectIn(1, 0, Units.read10(0, 255), pieces)).status());
        for (int i = 0; i < 255; i++) {
            assertArrayEquals(Arrays.copyOfRange(rig.store.bytes(), i * 512, i * 512 + 512),
                    pieces.get(i).region().bytes());
        }
        assertEquals(0, rig.call(Units.indirectOut(2, 1, Units.write10(0, 255), pieces)).status());
        assertArrayEquals(Arrays.copyOf(rig.store.bytes(), 255 * 512), Arrays.copyOf(rig.store1.bytes(), 255 * 512));
        rig.assertIdle();
        rig.shutDown();
    }

    /** Report 30 (long scatter lists): Linux's indirect_sg_entries goes up to 2048. */
    @Test
    void aTableOf2048DescriptorsIsServed() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        List<Piece> pieces = new ArrayList<>();
        Region region = rig.pattern(1 << 20, 11);
        for (int i = 2047; i >= 0; i--) {
            pieces.add(new Piece(region, i * 512, 512));
        }
        Region table = rig.region(16 * 2048);
        Units.fillTable(pieces, table);
        assertEquals(0, rig.call(Units.externalOut(1, 0, Units.write10(0, 2048), pieces, table)).status());
        assertArrayEquals(Arrays.copyOf(region.bytes(), 512),
                Arrays.copyOfRange(rig.store.bytes(), 2047 * 512, 2048 * 512));
        rig.assertIdle();
    }

    /** Report 18 (more scatter entries per RDMA READ than the device allows): each has one, and no more bytes. */
    @Test
    void report18TransfersAreSplitAtTheDevicesLongestMessage() throws RdmaException {
        FakeDevice device = new FakeDevice(1024, 1000);
        ChannelRig rig = new ChannelRig(device, ChannelRig.SMALL, new AgreedLogin(256, 0, false, false)).goLive();
        Region region = rig.pattern(4096, 3);
        assertEquals(0, rig.call(Units.directOut(1, 0, Units.write10(0, 8), Piece.all(region))).status());
        assertEquals(List.of(1000, 1000, 1000, 1000, 96), rig.qp.takeExecuted().stream()
                .filter(w -> w.opcode() == Opcode.RDMA_READ).map(Work::length).toList());
        Region back = rig.region(4096);
        assertEquals(0, rig.call(Units.directIn(2, 0, Units.read10(0, 8), Piece.all(back))).status());
        assertArrayEquals(region.bytes(), back.bytes());
        rig.assertIdle();
    }

    @Test
    void onlyWhatTheCommandNeedsIsMoved() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        Region region = rig.pattern(8192, 3);
        Response write = rig.call(Units.directOut(1, 0, Units.write10(0, 8), Piece.all(region)));
        assertEquals(4096, write.outResidual());
        Region back = rig.region(8192);
        Response read = rig.call(Units.directIn(2, 0, Units.read10(0, 8), Piece.all(back)));
        assertEquals(4096, read.inResidual());
        assertArrayEquals(Arrays.copyOf(region.bytes(), 4096), Arrays.copyOf(back.bytes(), 4096));
        assertArrayEquals(new byte[4096], Arrays.copyOfRange(back.bytes(), 4096, 8192));
        assertEquals(8192, rig.io.statistics().bytesFromInitiator() + rig.io.statistics().bytesToInitiator());
    }

    /** Report 3 (no residuals): both directions, under and over. */
    @Test
    void report3ResidualsAreReported() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        Region small = rig.region(1024);
        Response over = rig.call(Units.directIn(1, 0, Units.read10(0, 4), Piece.all(small)));
        assertEquals(0, over.status());
        assertEquals(-1024, over.inResidual());
        Response inquiry = rig.call(Units.directIn(2, 0, Units.inquiry(255), Piece.all(rig.region(255))));
        assertTrue(inquiry.inResidual() > 0);
        Response unread = rig.call(Units.directIn(3, 0, Units.testUnitReady(), Piece.all(small)));
        assertEquals(1024, unread.inResidual());
        Response failed = rig.call(Units.directOut(4, 0, Units.write10(0, 4), Piece.all(small)));
        assertEquals(2, failed.status());
        assertTrue(rig.store.log().stream().noneMatch(entry -> entry.startsWith("write")));
        rig.assertIdle();
    }

    /** Report 17 (sense beyond the unit): the response is cut to what the login allows and says so. */
    @Test
    void report17SenseDataFitTheResponse() throws RdmaException {
        ChannelRig rig = new ChannelRig(new FakeDevice(), ChannelRig.SMALL, new AgreedLogin(64, 0, false, false));
        rig.goLive();
        Response response = rig.call(Units.plain(1, 0, new byte[] {0x55}));
        assertEquals(2, response.status());
        assertTrue(response.sense().length > 0 && response.sense().length <= 28);
        assertEquals(ILLEGAL_REQUEST, response.senseKey());
    }

    /** Report 1 (immediate length 0xffffffff wraps the bounds check). */
    @Test
    void report1ImmediateDataMustLieInsideTheUnit() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        byte[] data = new byte[512];
        for (int announced : new int[] {-1, Integer.MIN_VALUE, 513, 8276, -68}) {
            Response response = rig.call(Units.immediate(announced, 0, Units.write10(0, 1), data, announced));
            assertRefused(response);
        }
        assertTrue(rig.store.log().isEmpty());
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void immediateDataThatWereNotGrantedAreRefused() throws RdmaException {
        ChannelRig rig = new ChannelRig(new FakeDevice(), ChannelRig.SMALL, new AgreedLogin(256, 0, false, false));
        rig.goLive();
        assertRefused(rig.call(Units.immediate(1, 0, Units.write10(0, 1), new byte[512])));
        rig.assertIdle();
    }

    /** Report 2 (accounting after a failed multi-descriptor command): a failed parse owns no RDMA work. */
    @Test
    void report2ARefusedTableLeavesNoWorkBehind() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        List<Piece> pieces = pieces(rig, 12, 512);
        byte[] unit = Units.indirectOut(1, 0, Units.write10(0, 12), pieces);
        // The eighth descriptor wraps around the end of the address space.
        Arrays.fill(unit, 48 + 20 + 7 * 16, 48 + 20 + 7 * 16 + 8, (byte) 0xff);
        assertRefused(rig.call(unit));
        assertTrue(rig.qp.takeExecuted().stream().allMatch(w -> w.opcode() == Opcode.SEND));
        assertEquals(0, rig.call(Units.indirectOut(2, 0, Units.write10(0, 12), pieces)).status());
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void malformedDescriptorsAreAnIllegalRequestAndNotBusy() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        Piece piece = Piece.all(rig.region(512));
        byte[] cut = Arrays.copyOf(Units.directIn(1, 0, Units.read10(0, 1), piece), 60);
        assertRefused(rig.call(cut));
        byte[] unknown = Units.directIn(2, 0, Units.read10(0, 1), piece);
        unknown[5] = 0x07;
        assertRefused(rig.call(unknown));
        byte[] both = Units.command(3, 0, Units.write10(0, 1), BufferFormats.DIRECT, 1, BufferFormats.DIRECT, 1,
                concat(Units.descriptor(piece), Units.descriptor(piece)));
        assertRefused(rig.call(both));
        byte[] odd = Units.indirectIn(4, 0, Units.read10(0, 1), List.of(piece));
        odd[48 + 15] = 17;
        assertRefused(rig.call(odd));
        byte[] more = Units.indirectIn(5, 0, Units.read10(0, 1), List.of(piece));
        more[48 + 16] = 1;
        assertRefused(rig.call(more));
        assertEquals(5, rig.io.statistics().refused());
        assertTrue(rig.store.log().isEmpty());
        rig.assertIdle();
    }

    @Test
    void aTableLongerThanTheBoundIsRefused() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        Region table = rig.region(16);
        byte[] unit = Units.externalIn(1, 0, Units.read10(0, 1), List.of(), table);
        // 65,552 bytes: one descriptor more than are fetched.
        unit[48 + 13] = 1;
        unit[48 + 15] = 16;
        assertRefused(rig.call(unit));
        rig.assertIdle();
    }

    @Test
    void aFetchedTableWithAWrongTotalIsRefused() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        List<Piece> pieces = pieces(rig, 3, 512);
        Region table = rig.region(48);
        assertRefused(rig.call(Units.externalOut(1, 0, Units.write10(0, 3), pieces, table)));
        assertTrue(rig.store.log().isEmpty());
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void aTransferBeyondTheChannelsLimitIsRefused() throws RdmaException {
        ChannelRig rig = ChannelRig.live(new ChannelSettings(4, 64, 8276, 256, 8192, 128 << 10));
        Region region = rig.region(16384);
        Response response = rig.call(Units.directIn(1, 0, Units.read10(0, 32), Piece.all(region)));
        assertRefused(response);
        assertEquals(16384, response.inResidual());
        assertEquals(0, rig.call(Units.directIn(2, 0, Units.read10(0, 16), Piece.all(region))).status());
        rig.assertIdle();
    }

    @Test
    void aStoreThatFailsIsAMediumErrorAndIsTold() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        rig.store.hold(true);
        rig.send(Units.directIn(1, 0, Units.read10(0, 1), Piece.all(rig.region(512))));
        rig.settle();
        rig.store.take().fail();
        rig.settle();
        assertEquals(2, rig.responses.get(1L).status());
        assertEquals(3, rig.responses.get(1L).senseKey());
        assertEquals(1, rig.storeFailures.size());
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void solicitedNotificationIsGivenWhenAskedFor() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        byte[] unit = Units.plain(1, 0, Units.testUnitReady());
        unit[1] = 0x02;
        assertTrue(rig.call(unit).solicited());
        assertFalse(rig.call(Units.plain(2, 0, Units.testUnitReady())).solicited());
    }

    @Test
    void commandsThatWaitForBuffersAreServedInOrder() throws RdmaException {
        ChannelRig rig = ChannelRig.live(new ChannelSettings(8, 64, 8276, 256, 64 << 10, 128 << 10));
        rig.store.hold(true);
        for (int i = 0; i < 6; i++) {
            int blocks = i % 2 == 0 ? 128 : 8;
            rig.send(Units.directIn(i, 0, Units.read10(i, blocks), Piece.all(rig.region(blocks * 512))));
        }
        rig.settle();
        // 64 KiB, 4 KiB; the second 64 KiB does not fit, and what is behind it does not overtake.
        assertEquals(2, rig.store.heldCount());
        List<Long> order = new ArrayList<>();
        while (rig.store.heldCount() > 0) {
            rig.store.take().complete();
            rig.settle();
            rig.responses.keySet().stream().filter(tag -> !order.contains(tag)).forEach(order::add);
        }
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L), order);
        rig.assertIdle();
        rig.shutDown();
    }

    @Test
    void aCommandWithoutDataReachesTheStore() throws RdmaException {
        ChannelRig rig = ChannelRig.live();
        assertEquals(0, rig.call(Units.plain(1, 0, Units.synchronizeCache())).status());
        assertEquals(List.of("flush"), rig.store.log());
        rig.assertIdle();
    }

    private static void assertRefused(Response response) {
        assertEquals(2, response.status());
        assertEquals(ILLEGAL_REQUEST, response.senseKey());
        assertEquals(INVALID_FIELD_IN_UNIT, response.additionalSense());
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    private static List<Piece> pieces(ChannelRig rig, int count, int length) {
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pieces.add(Piece.all(rig.region(length)));
        }
        return pieces;
    }
}
