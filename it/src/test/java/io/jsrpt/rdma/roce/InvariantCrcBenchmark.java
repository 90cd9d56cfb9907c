package io.jsrpt.rdma.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The invariant CRC of one packet: an acknowledgement, path MTU 1024, path MTU 4096. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class InvariantCrcBenchmark {
    private static final int SENT = InvariantCrc.HEADROOM;
    private static final int RECEIVED = 8192 + InvariantCrc.HEADROOM;

    /** From BTH to ICRC. */
    @Param({"20", "1044", "4116"})
    public int length;

    private final MemorySegment memory = Arena.ofAuto().allocate(16_384, 64);
    private final InvariantCrc crc = new InvariantCrc(memory);
    private MemorySegment header = MemorySegment.NULL;

    /** A packet from a kernel, which counts identifications, is one whose difference is not 0. */
    @Setup
    public void receive() throws UnknownHostException {
        InetAddress a = InetAddress.getByName("10.77.0.2");
        InetAddress b = InetAddress.getByName("10.77.0.3");
        header = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, InvariantCrc.header(a, b, 4791));
        crc.seal(header, 49_152, SENT, length);
        int stored = memory.get(ValueLayout.JAVA_INT_UNALIGNED, (long) SENT + length - 4);
        int difference = 1;
        while ((InvariantCrc.identification(difference, length) >>> 16) != 0) {
            difference++;
        }
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, (long) RECEIVED + length - 4, stored ^ difference);
        if (!crc.verify(header, 49_152, RECEIVED, length)) {
            throw new IllegalStateException("the packet does not verify");
        }
    }

    @Benchmark
    public void seal() {
        crc.seal(header, 49_152, SENT, length);
    }

    @Benchmark
    public boolean verifyIdentificationZero() {
        return crc.verify(header, 49_152, SENT, length);
    }

    @Benchmark
    public boolean verifyUnknownIdentification() {
        return crc.verify(header, 49_152, RECEIVED, length);
    }
}
