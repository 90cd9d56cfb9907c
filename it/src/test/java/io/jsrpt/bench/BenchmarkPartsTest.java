package io.jsrpt.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The parts of the whole-path benchmark that its figures and its check of the data rest on. */
class BenchmarkPartsTest {
    private final MemorySegment buffer = Arena.ofAuto().allocate(2 * Volume.PAGE_BYTES);
    private final Volume volume = new Volume(8);

    private void write(int page) {
        volume.prepare(buffer);
        volume.written(page, 2, volume.stamp(buffer, page));
    }

    @Test
    void whatWasWrittenLastIsRight() {
        write(2);
        write(4);
        write(2);
        volume.check(buffer, 2, true);
    }

    @Test
    void dataOfAnotherPlaceAreWrong() {
        write(2);
        write(4);
        assertThrows(IllegalStateException.class, () -> volume.check(buffer, 2, false));
    }

    @Test
    void anEarlierWriteIsWrong() {
        write(2);
        volume.written(2, 2, volume.stamp(Arena.ofAuto().allocate(2 * Volume.PAGE_BYTES), 2));
        assertThrows(IllegalStateException.class, () -> volume.check(buffer, 2, false));
    }

    @Test
    void aBufferThatNothingCameIntoIsWrong() {
        write(2);
        volume.erase(buffer);
        assertThrows(IllegalStateException.class, () -> volume.check(buffer, 2, false));
    }

    @Test
    void oneWrongByteBetweenTheStampsIsFoundInAWholeCheck() {
        write(2);
        long at = Volume.PAGE_BYTES + 2000;
        buffer.set(ValueLayout.JAVA_BYTE, at, (byte) ~buffer.get(ValueLayout.JAVA_BYTE, at));
        volume.check(buffer, 2, false);
        assertThrows(IllegalStateException.class, () -> volume.check(buffer, 2, true));
    }

    @Test
    void theMedianOfAnEvenNumberIsBetweenTheMiddleTwo() {
        List<Measurement> rounds = List.of(measurement(4), measurement(100), measurement(1), measurement(2));
        assertEquals(3, Measurement.median(rounds, Measurement::perSecond));
        assertEquals(2, Measurement.median(rounds.subList(1, 4), Measurement::perSecond));
    }

    private static Measurement measurement(long operations) {
        return new Measurement(operations, 1, 0.5, operations * 100);
    }

    @Test
    void theReportComparesMedians() {
        StringWriter text = new StringWriter();
        Map<Workload, List<Measurement>> ours = Map.of(Report.COMPARED, List.of(measurement(3000)));
        Map<Workload, List<Measurement>> peers = Map.of(Report.COMPARED, List.of(measurement(2000)));
        new Report(ours, peers).print(new PrintWriter(text));
        assertTrue(text.toString().contains(
            "jsrpt to tgtd, read 4 KiB, depth 32: 1.50 times the operations per second, 1.50 per CPU second"),
            text.toString());
    }

    @Test
    void theLastAverageOfIscsiPerfCounts() throws BenchmarkException {
        assertEquals(22_552, Peer.averageOf("\r00:00:01 - lba 7, iops current 24084 (94 MB/s), iops average 22802 (89 "
            + "MB/s), in_flight 32, busy 0        \riops average 22552 (88 MB/s)      \n\nfinished.\n"));
    }

    @Test
    void iscsiPerfThatBreaksOffHasNoFigure() {
        assertThrows(BenchmarkException.class, () -> Peer.averageOf("iops average 22802 (89 MB/s)"));
        assertThrows(BenchmarkException.class, () -> Peer.averageOf("\n\nfinished.\n"));
    }

    @Test
    void theCpuTimeOfAProcessStandsBehindItsName() {
        assertEquals(3.5, Peer.cpuSecondsOf("4711 (a b) c) S 1 4711 4711 0 -1 4194560 1 0 0 0 42 308 0 0 20 0 17 0"));
    }

    @Test
    void aProgramThatIsMissingIsNamedWithItsPackage() {
        BenchmarkException e = assertThrows(
            BenchmarkException.class, () -> Programs.find("no-such-program", "its-package"));
        assertTrue(e.getMessage().contains("apt install its-package"), e.getMessage());
    }
}
