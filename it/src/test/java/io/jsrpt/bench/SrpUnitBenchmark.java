package io.jsrpt.bench;

import io.jsrpt.srp.BufferFormats;
import io.jsrpt.srp.DataDescriptors;
import io.jsrpt.srp.SrpCommand;
import io.jsrpt.srp.SrpResponse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a target does with the information units of one READ: take the command apart, put the response together. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class SrpUnitBenchmark {
    private final MemorySegment memory = Arena.ofAuto().allocate(512, 64);
    private final SrpCommand command = new SrpCommand();
    private final DataDescriptors descriptors = new DataDescriptors(16);
    private final SrpResponse response = new SrpResponse();

    public SrpUnitBenchmark() {
        command.wrap(memory, 0, SrpCommand.FIXED_BYTES + BufferFormats.DESCRIPTOR_BYTES)
                .encode(0x1234, 0, SrpCommand.SIMPLE, 0)
                .buffers(BufferFormats.NONE, 0, BufferFormats.DIRECT, 0);
        SrpCommand.putDescriptor(memory, SrpCommand.FIXED_BYTES, 0x7f00_0000_0000L, 0x1234, 4096);
    }

    /** Checks a command and reads its tag, unit, attribute and buffer. */
    @Benchmark
    public long parseCommand() {
        command.wrap(memory, 0, SrpCommand.FIXED_BYTES + BufferFormats.DESCRIPTOR_BYTES);
        int problems = command.validate().ordinal() + descriptors.parse(command, 0).ordinal();
        return problems
                + command.tag()
                + command.lun()
                + command.taskAttribute()
                + descriptors.in().address(0)
                + descriptors.in().length(0);
    }

    /** Writes the response to a command that went well. */
    @Benchmark
    public int encodeResponse() {
        return response.wrap(memory, 256, 256).command(0x1234, 1, 0).length();
    }
}
