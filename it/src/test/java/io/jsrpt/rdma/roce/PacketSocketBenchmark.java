package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.RdmaException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A packet through a socket and back over the loopback, in batches as the engine makes them. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class PacketSocketBenchmark {
    private static final int BATCH = 16;

    @Param({"nio", "mmsg"})
    public String kind;

    /** In bytes. */
    @Param({"0", "1024", "4096"})
    public int payload;

    private final MemorySegment source = Arena.ofAuto().allocate(4096, 64);
    private PacketSocket socket;
    private Peer self;

    @Setup
    public void open() throws RdmaException, UnknownHostException {
        InetAddress local = InetAddress.getByName("127.77.10.1");
        socket = kind.equals("nio")
                ? NioPacketSocket.open(local, 54_792, 1 << 22)
                : MmsgPacketSocket.open(local, 54_792, 1 << 22);
        self = socket.peer(socket.local());
    }

    @TearDown
    public void close() {
        socket.close();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int sendAndReceive() throws IOException {
        for (int i = 0; i < BATCH; i++) {
            socket.reserve();
            socket.commit(self, 16, source.address(), payload);
        }
        socket.flush();
        int received = 0;
        while (received < BATCH) {
            received += socket.receive(1_000_000_000L);
        }
        return received;
    }
}
