package io.jsrpt.bench;

import io.jsrpt.it.initiator.InitiatorChannel;
import io.jsrpt.it.initiator.InitiatorSettings;
import io.jsrpt.it.initiator.RegisteredBuffer;
import io.jsrpt.it.initiator.SrpInitiator;
import io.jsrpt.it.initiator.SrpSession;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaProvider;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.srp.PortId;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;

/** An initiator that is logged in to the target, and keeps it busy. */
final class Load implements AutoCloseable {
    /** Another address of the loopback interface than the target's, since each binds UDP port 4791 at its own. */
    private static final String ADDRESS = "127.0.0.2";

    private static final int BUFFER_BYTES = 32 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RdmaService service;
    private final SrpInitiator initiator;
    private final SrpSession session;
    private final RegisteredBuffer buffer;
    private final Volume volume;

    Load(Volume volume) throws RdmaException {
        this.volume = volume;
        RdmaProvider provider = ServiceLoader.load(RdmaProvider.class).stream().map(ServiceLoader.Provider::get)
            .filter(each -> each.name().equals("roce")).findFirst().orElseThrow();
        service = provider.open(RdmaSettings.of(List.of(InetAddress.ofLiteral(ADDRESS))));
        initiator = new SrpInitiator(service.devices().getFirst());
        buffer = initiator.allocate(BUFFER_BYTES);
        volume.prepare(buffer.memory());
        session = initiator.login(InitiatorSettings.likeLinux(
            Gid.of(InetAddress.ofLiteral(TargetProcess.ADDRESS)), ServiceId.rdmaTcp(TargetProcess.PORT),
            new PortId(1, 1), new PortId(TargetProcess.GUID, TargetProcess.GUID)), 1);
    }

    /** Writes the whole volume, so that every page of it has a stamp. */
    void fill() throws RdmaException, BenchmarkException {
        drive(Workload.SWEEP_WRITE, CommandStream.sweep(Workload.SWEEP_WRITE, volume, buffer, channel()));
    }

    /** Reads the whole volume and compares every byte. */
    void check() throws RdmaException, BenchmarkException {
        drive(Workload.SWEEP_READ, CommandStream.sweep(Workload.SWEEP_READ, volume, buffer, channel()));
    }

    /** Runs a workload for this long; what the target used meanwhile is in the result. */
    Measurement run(Workload workload, Duration time, TargetProcess target) throws RdmaException, BenchmarkException {
        CommandStream stream = CommandStream.random(workload, volume, buffer, channel(), time);
        TargetProcess.Usage before = target.usage();
        long began = System.nanoTime();
        drive(workload, stream);
        long ended = System.nanoTime();
        TargetProcess.Usage after = target.usage();
        return new Measurement(stream.completed(), (ended - began) / 1e9,
            (after.cpuNanos() - before.cpuNanos()) / 1e9, after.allocatedBytes() - before.allocatedBytes());
    }

    private void drive(Workload workload, CommandStream stream) throws RdmaException, BenchmarkException {
        InitiatorChannel channel = channel();
        channel.listener(stream);
        stream.begin();
        initiator.await(workload.title(), () -> stream.ended() || channel.disconnected(), stream.time().plus(PATIENCE));
        if (channel.disconnected() || channel.failures() > 0 || channel.unknownTags() > 0
                || channel.creditViolations() > 0) {
            throw new BenchmarkException(workload.title() + ": the channel is at fault: " + channel.failures()
                + " failures, the last " + channel.lastFailure() + ", " + channel.unknownTags() + " unknown tags, "
                + channel.creditViolations() + " credit violations");
        }
    }

    private InitiatorChannel channel() {
        return session.channels().getFirst();
    }

    @Override
    public void close() {
        session.close();
        buffer.close();
        initiator.close();
        service.close();
    }
}
