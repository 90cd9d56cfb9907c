package io.jsrpt.rdma.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.roce.AckTimer.Due;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AckTimerTest {
    private static final long MS = 1_000_000;
    private static final long TIMEOUT = 2147 * MS;
    private static final long SHORTEST = 20 * MS;

    private final AckTimer timer = new AckTimer(TIMEOUT, 7, SHORTEST);

    @Test
    void runsOnlyWhileSomethingIsOutstanding() {
        assertEquals(Long.MAX_VALUE, timer.deadline());
        timer.start(5);
        assertEquals(5 + 10 * SHORTEST, timer.deadline());
        timer.start(100);
        assertEquals(5 + 10 * SHORTEST, timer.deadline(), "it runs already");
        timer.progress(1, true, 50);
        assertEquals(50 + 10 * SHORTEST, timer.deadline());
        timer.progress(2, false, 60);
        assertEquals(Long.MAX_VALUE, timer.deadline());
        assertEquals(Due.NOTHING, timer.due(Long.MAX_VALUE / 2));
    }

    @Test
    void followsTheRoundTripsThatItMeasures() {
        roundTrips(100, MS);
        timer.start(0);
        assertEquals(SHORTEST, timer.deadline(), "not below the shortest");
        timer.stop();
        roundTrips(100, 300 * MS);
        timer.start(0);
        assertTrue(timer.deadline() >= 300 * MS && timer.deadline() < 400 * MS, "at " + timer.deadline());
        timer.stop();
        roundTrips(100, 60_000 * MS);
        timer.start(0);
        assertEquals(2000 * MS, timer.deadline(), "not above the longest");
    }

    @Test
    void doesNotMeasurePacketsThatWereRepeated() {
        roundTrips(100, MS);
        timer.sent(500, 0);
        timer.start(0);
        assertEquals(Due.REPEAT, timer.due(SHORTEST));
        timer.progress(501, false, 1000 * MS);
        timer.start(0);
        assertEquals(2 * SHORTEST, timer.deadline(), "the doubled interval holds until a round trip is measured");
        timer.stop();
        roundTrips(1, MS);
        timer.start(0);
        assertEquals(SHORTEST, timer.deadline());
    }

    @Test
    void repeatsAtDoublingIntervalsAndGivesUpWhenTheRetriesWouldBeOver() {
        roundTrips(100, MS);
        timer.start(0);
        List<Long> repeats = new ArrayList<>();
        long now = timer.deadline();
        Due due = timer.due(now);
        while (due == Due.REPEAT) {
            repeats.add(now / MS);
            now = timer.deadline();
            due = timer.due(now);
        }
        assertEquals(List.of(20L, 60L, 140L, 300L, 620L, 1260L, 2540L), repeats.subList(0, 7));
        assertEquals(2000, repeats.get(8) - repeats.get(7));
        assertEquals(Due.GIVE_UP, due);
        assertEquals(8 * TIMEOUT, now);
        assertEquals(Long.MAX_VALUE, timer.deadline());
    }

    @Test
    void theWaitOfAPeerThatAskedForARepetitionBeginsAnew() {
        timer.repeated(3);
        assertEquals(Long.MAX_VALUE, timer.deadline(), "it does not run");
        timer.start(0);
        timer.repeated(150 * MS);
        assertEquals(150 * MS + 10 * SHORTEST, timer.deadline());
        assertEquals(Due.NOTHING, timer.due(timer.deadline() - 1));
        for (long now = 0; now < 8 * TIMEOUT; now += SHORTEST) {
            timer.repeated(now);
            assertEquals(Due.NOTHING, timer.due(now));
        }
        assertEquals(Due.GIVE_UP, timer.due(8 * TIMEOUT), "but not the patience with it");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 7", "1, 0", "1, 7", "4096, 3", "1152921504606846976, 7", "1152921504606846976, 0"})
    void anyTimeoutAndAnyNumberOfRetriesMakesSense(long timeout, int retries) {
        AckTimer any = new AckTimer(timeout, retries, SHORTEST);
        long began = 1L << 60;
        any.start(began);
        long patience = Math.max(timeout, SHORTEST) * (retries + 1);
        boolean forEver = timeout >= 1L << 60;
        int repeats = 0;
        long now = any.deadline();
        Due due = any.due(now);
        while (due == Due.REPEAT && repeats < 10_000) {
            repeats++;
            now = any.deadline();
            due = any.due(now);
        }
        if (forEver) {
            assertEquals(Due.REPEAT, due);
        } else {
            assertEquals(Due.GIVE_UP, due);
            assertEquals(began + patience, now);
        }
    }

    private void roundTrips(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            timer.sent(i, 1000);
            timer.sent(i + 1, 1001);
            timer.progress(i, false, 2000);
            timer.progress(i + 1L, false, 1000 + nanos);
        }
    }
}
