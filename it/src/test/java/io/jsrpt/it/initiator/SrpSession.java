package io.jsrpt.it.initiator;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.srp.SrpResponse;
import io.jsrpt.srp.TaskManagement;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The channels of one login, with calls that wait. */
public final class SrpSession implements AutoCloseable {
    private final SrpInitiator initiator;
    private final List<InitiatorChannel> channels;

    /** A request that was sent. */
    public static final class Pending {
        private final InitiatorChannel channel;
        private final int slot;
        private final long tag;
        private Optional<ScsiResult> result = Optional.empty();

        private Pending(InitiatorChannel channel, int slot) {
            this.channel = channel;
            this.slot = slot;
            this.tag = channel.tag(slot);
        }

        /** The response, once it has come. */
        public Optional<ScsiResult> result() {
            return result;
        }

        /** Its tag. */
        public long tag() {
            return tag;
        }
    }

    private final List<Pending> pending = new ArrayList<>();

    SrpSession(SrpInitiator initiator, List<InitiatorChannel> channels) {
        this.initiator = initiator;
        this.channels = List.copyOf(channels);
        for (InitiatorChannel channel : channels) {
            channel.listener((slot, unit, response) -> responded(channel, slot, unit, response));
        }
    }

    private void responded(InitiatorChannel channel, int slot, MemorySegment unit, SrpResponse response) {
        for (int i = 0; i < pending.size(); i++) {
            Pending p = pending.get(i);
            if (p.channel == channel && p.slot == slot) {
                p.result = Optional.of(ScsiResult.copy(unit, response));
                pending.remove(i);
                return;
            }
        }
    }

    /** The initiator that drives it. */
    public SrpInitiator initiator() {
        return initiator;
    }

    /** The channels, by index. */
    public List<InitiatorChannel> channels() {
        return channels;
    }

    /** Sends a command on a channel, waiting for a credit if need be. */
    public Pending send(int channel, ScsiCommand command) throws RdmaException {
        InitiatorChannel c = channels.get(channel);
        initiator.await("credit", c::canSend);
        return track(c, c.send(command));
    }

    /** Sends any bytes on a channel. */
    public Pending sendRaw(int channel, byte[] unit) throws RdmaException {
        InitiatorChannel c = channels.get(channel);
        initiator.await("credit", c::canSend);
        return track(c, c.sendRaw(unit));
    }

    /** Sends any bytes on a channel, with a tag put in, so that a response is this request's. */
    public Pending sendTagged(int channel, byte[] unit) throws RdmaException {
        InitiatorChannel c = channels.get(channel);
        initiator.await("credit", c::canSend);
        return track(c, c.sendTagged(unit));
    }

    private Pending track(InitiatorChannel channel, int slot) {
        Pending p = new Pending(channel, slot);
        pending.add(p);
        channel.flush();
        return p;
    }

    /** Waits for a response. */
    public ScsiResult await(Pending request) {
        initiator.await("response", () -> request.result.isPresent() || request.channel.disconnected());
        return request.result.orElseThrow(
                () -> new IllegalStateException("disconnected: " + request.channel.lastFailure()));
    }

    /** Sends on channel 0 and waits. */
    public ScsiResult execute(ScsiCommand command) throws RdmaException {
        return await(send(0, command));
    }

    /** Sends on a channel and waits. */
    public ScsiResult execute(int channel, ScsiCommand command) throws RdmaException {
        return await(send(channel, command));
    }

    /** Sends a task management request on a channel and waits; the response code. */
    public int manage(int channel, long lun, int function, long taskTag) throws RdmaException {
        InitiatorChannel c = channels.get(channel);
        return await(track(c, c.manage(lun, function, taskTag))).taskManagementCode();
    }

    /** Aborts a request; whatever comes of it, its response is not waited for any more. */
    public int abort(Pending request, long lun) throws RdmaException {
        int channel = channels.indexOf(request.channel);
        int code = manage(channel, lun, TaskManagement.ABORT_TASK, request.tag);
        if (pending.remove(request)) {
            request.channel.abandon(request.slot);
        }
        return code;
    }

    /** Resets a logical unit; commands that got no response are given up. */
    public int reset(long lun) throws RdmaException {
        int code = manage(0, lun, TaskManagement.LOGICAL_UNIT_RESET, 0xffff_ffffL);
        for (Pending p : List.copyOf(pending)) {
            pending.remove(p);
            p.channel.abandon(p.slot);
        }
        return code;
    }

    /** Ends the connections in order. */
    @Override
    public void close() {
        channels.forEach(InitiatorChannel::disconnect);
        initiator.await("disconnected", () -> channels.stream().allMatch(InitiatorChannel::disconnected));
        channels.forEach(initiator::close);
    }

    /** Falls silent without a word. */
    public void vanish() {
        channels.forEach(InitiatorChannel::vanish);
    }

    /** Frees this end, after {@link #vanish} or when the target has ended the connections. */
    public void release() {
        channels.forEach(initiator::close);
    }
}
