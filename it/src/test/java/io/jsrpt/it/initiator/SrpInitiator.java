package io.jsrpt.it.initiator;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** An SRP initiator on one device: makes channels and drives them. */
public final class SrpInitiator implements AutoCloseable {
    /** How long a test waits for anything that must happen. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ProtectionDomain pd;
    private final CmEventChannel events;
    private final Semaphore wake = new Semaphore(0);
    private final List<InitiatorChannel> channels = new ArrayList<>();

    public SrpInitiator(RdmaDevice device) throws RdmaException {
        pd = device.allocateProtectionDomain();
        events = device.createEventChannel();
    }

    /** Memory that the target may read and write. */
    public RegisteredBuffer allocate(long bytes) throws RdmaException {
        return RegisteredBuffer.allocate(pd, bytes, EnumSet.allOf(ProtectionDomain.Access.class));
    }

    /** Logs in with channels: the first ends older channels of this nexus, the others join it. */
    public SrpSession login(InitiatorSettings settings, int channelCount) throws RdmaException {
        List<InitiatorChannel> opened = new ArrayList<>();
        for (int i = 0; i < channelCount; i++) {
            InitiatorChannel channel = connect(settings, settings.request(i > 0).encode(settings.form()));
            if (!(channel.outcome() instanceof LoginOutcome.LoggedIn)) {
                throw new IllegalStateException("login of channel " + i + ": " + channel.outcome());
            }
            opened.add(channel);
        }
        return new SrpSession(this, opened);
    }

    /** Sends this private data and waits for the outcome. */
    public InitiatorChannel connect(InitiatorSettings settings, byte[] privateData) throws RdmaException {
        InitiatorChannel channel = connectNoWait(settings, privateData);
        await("login", () -> !(channel.outcome() instanceof LoginOutcome.Waiting));
        return channel;
    }

    /** Sends this private data. */
    public InitiatorChannel connectNoWait(InitiatorSettings settings, byte[] privateData) throws RdmaException {
        CmId id = events.createId(settings.remote(), settings.service());
        InitiatorChannel channel = new InitiatorChannel(id, pd, settings, wake::release);
        channels.add(channel);
        channel.connect(privateData);
        return channel;
    }

    /** Handles what has come; true when there was something. */
    public boolean pump() {
        boolean any = false;
        for (Optional<CmEvent> event = events.poll(); event.isPresent(); event = events.poll()) {
            any = true;
            CmEvent e = event.get();
            for (int i = 0; i < channels.size(); i++) {
                if (channels.get(i).id() == e.id()) {
                    channels.get(i).handle(e);
                }
            }
        }
        for (int i = 0; i < channels.size(); i++) {
            any |= channels.get(i).poll();
        }
        return any;
    }

    /** Drives everything until the condition holds. */
    public void await(String what, BooleanSupplier condition) {
        await(what, condition, PATIENCE);
    }

    /** Drives everything until the condition holds, at most this long. */
    public void await(String what, BooleanSupplier condition, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (!pump() && !armAndPump()) {
                sleep(what, deadline);
            }
        }
    }

    private boolean armAndPump() {
        wake.drainPermits();
        events.arm(wake::release);
        for (int i = 0; i < channels.size(); i++) {
            channels.get(i).arm();
        }
        return pump();
    }

    private void sleep(String what, long deadline) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new AssertionError("waited in vain: " + what + "; " + describe());
        }
        try {
            // The condition may depend on more than what this initiator is notified of.
            if (wake.tryAcquire(Math.min(left, TimeUnit.MILLISECONDS.toNanos(20)), TimeUnit.NANOSECONDS)) {
                wake.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting: " + what, e);
        }
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (InitiatorChannel channel : channels) {
            text.append("channel ").append(channel.id().number()).append(' ').append(channel.outcome())
                    .append(channel.disconnected() ? " disconnected" : "")
                    .append(" credits ").append(channel.credits())
                    .append(" outstanding ").append(channel.outstanding())
                    .append(" failure ").append(channel.lastFailure()).append("; ");
        }
        return text.toString();
    }

    /** Closes a channel and forgets it. */
    public void close(InitiatorChannel channel) {
        channel.close();
        channels.remove(channel);
    }

    @Override
    public void close() {
        for (InitiatorChannel channel : List.copyOf(channels)) {
            close(channel);
        }
        events.close();
        pd.close();
    }
}
