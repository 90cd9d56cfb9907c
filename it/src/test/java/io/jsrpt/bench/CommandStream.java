package io.jsrpt.bench;

import io.jsrpt.it.initiator.InitiatorChannel;
import io.jsrpt.it.initiator.InitiatorSettings;
import io.jsrpt.it.initiator.RegisteredBuffer;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.srp.BufferFormats;
import io.jsrpt.srp.SrpCommand;
import io.jsrpt.srp.SrpResponse;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Keeps as many commands under way as a workload wants: each response is checked and followed by the next command. A
 * lane is one of the commands under way: it has its own part of the buffer, and its own places on the volume, so that
 * no two commands under way concern the same page.
 */
final class CommandStream implements InitiatorChannel.Listener {
    private static final int READ_16 = 0x88;
    private static final int WRITE_16 = 0x8a;
    private static final int BLOCK_BYTES = 512;
    private static final int CHECK_WHOLE_EVERY = 64;
    private static final int MAX_SLOTS = 1 << 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Workload workload;
    private final Volume volume;
    private final RegisteredBuffer buffer;
    private final InitiatorChannel channel;
    private final Duration time;
    private final boolean sweep;
    private final int pagesEach;
    private final MemorySegment[] lanes;
    private final int[] firstPage;
    private final int[] write;
    private final int[] laneOfSlot = new int[MAX_SLOTS];
    private final SrpCommand command = new SrpCommand();
    private final SplittableRandom random = new SplittableRandom();
    private long end;
    private int nextPage;
    private int underWay;
    private long completed;

    private CommandStream(Workload workload, Volume volume, RegisteredBuffer buffer, InitiatorChannel channel,
            Duration time, boolean sweep) {
        this.workload = workload;
        this.volume = volume;
        this.buffer = buffer;
        this.channel = channel;
        this.time = time;
        this.sweep = sweep;
        pagesEach = workload.bytes() / Volume.PAGE_BYTES;
        lanes = new MemorySegment[workload.depth()];
        firstPage = new int[workload.depth()];
        write = new int[workload.depth()];
        for (int lane = 0; lane < lanes.length; lane++) {
            lanes[lane] = buffer.memory().asSlice((long) lane * workload.bytes(), workload.bytes());
        }
    }

    /** Commands to random places for this long. */
    static CommandStream random(Workload workload, Volume volume, RegisteredBuffer buffer, InitiatorChannel channel,
            Duration time) {
        return new CommandStream(workload, volume, buffer, channel, time, false);
    }

    /** One command to each place of the volume; reads are compared byte by byte. */
    static CommandStream sweep(Workload workload, Volume volume, RegisteredBuffer buffer, InitiatorChannel channel) {
        return new CommandStream(workload, volume, buffer, channel, Duration.ZERO, true);
    }

    Duration time() {
        return time;
    }

    void begin() throws RdmaException {
        end = System.nanoTime() + time.toNanos();
        for (int lane = 0; lane < lanes.length && !over(); lane++) {
            send(lane);
        }
        channel.flush();
    }

    /** Whether the last response has come. */
    boolean ended() {
        return underWay == 0;
    }

    long completed() {
        return completed;
    }

    private boolean over() {
        return sweep ? nextPage + pagesEach > volume.pages() : System.nanoTime() - end >= 0;
    }

    @Override
    public void responded(int slot, MemorySegment unit, SrpResponse response) {
        int lane = laneOfSlot[slot];
        if (response.status() != 0 || response.dataInResidual() != 0 || response.dataOutResidual() != 0) {
            throw new IllegalStateException(workload.title() + ": status " + response.status() + ", residuals "
                + response.dataInResidual() + " and " + response.dataOutResidual());
        }
        if (workload.isRead()) {
            volume.check(lanes[lane], firstPage[lane], sweep || completed % CHECK_WHOLE_EVERY == 0);
        } else {
            volume.written(firstPage[lane], pagesEach, write[lane]);
        }
        completed++;
        underWay--;
        if (!over()) {
            try {
                send(lane);
            } catch (RdmaException e) {
                throw new IllegalStateException("the next command cannot be sent", e);
            }
        }
    }

    private void send(int lane) throws RdmaException {
        firstPage[lane] = place(lane);
        if (workload.isRead()) {
            volume.erase(lanes[lane]);
        } else {
            write[lane] = volume.stamp(lanes[lane], firstPage[lane]);
        }
        int slot = channel.takeSlot();
        laneOfSlot[slot] = lane;
        channel.sendSlot(slot, encode(channel.unit(slot), channel.tag(slot), lane));
        underWay++;
    }

    private int place(int lane) {
        if (sweep) {
            int page = nextPage;
            nextPage += pagesEach;
            return page;
        }
        int places = volume.pages() / pagesEach / lanes.length;
        return (random.nextInt(places) * lanes.length + lane) * pagesEach;
    }

    /** Writes the unit; returns its length. */
    private int encode(MemorySegment unit, long tag, int lane) {
        boolean immediate = workload.operation() == Workload.Operation.WRITE_IMMEDIATE;
        int outFormat = immediate ? BufferFormats.IMMEDIATE : BufferFormats.DIRECT;
        command.wrap(unit, 0, SrpCommand.FIXED_BYTES).encode(tag, 0, SrpCommand.SIMPLE, 0).buffers(
            workload.isRead() ? BufferFormats.NONE : outFormat, 0,
            workload.isRead() ? BufferFormats.DIRECT : BufferFormats.NONE, 0);
        long cdb = command.cdbOffset();
        unit.set(ValueLayout.JAVA_BYTE, cdb, (byte) (workload.isRead() ? READ_16 : WRITE_16));
        unit.set(LONG, cdb + 2, (long) firstPage[lane] * (Volume.PAGE_BYTES / BLOCK_BYTES));
        unit.set(INT, cdb + 10, workload.bytes() / BLOCK_BYTES);
        if (immediate) {
            unit.set(INT, SrpCommand.FIXED_BYTES, workload.bytes());
            MemorySegment.copy(lanes[lane], 0, unit, InitiatorSettings.IMMEDIATE_OFFSET, workload.bytes());
            return InitiatorSettings.IMMEDIATE_OFFSET + workload.bytes();
        }
        SrpCommand.putDescriptor(unit, SrpCommand.FIXED_BYTES, lanes[lane].address(), buffer.region().rkey(),
            workload.bytes());
        return SrpCommand.FIXED_BYTES + BufferFormats.DESCRIPTOR_BYTES;
    }
}
