package io.jsrpt.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.jsrpt.testing.stepping.SteppingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * The ownership rule under randomised schedules: every id is destroyed once, by its owner, and never used after; no
 * channel, queue pair, completion queue, memory region or protection domain is left; no memory is freed under a store's
 * hands. Set the system properties {@code schedule.seed} and {@code schedule.count} to run other ones, or a single one
 * again.
 */
final class OwnershipScheduleTest {
    private static final int COUNT = Integer.getInteger("schedule.count", 100_000);
    private static final int THREADS = 2;
    private static final long FIRST_SEED = Long.getLong("schedule.seed", 1L);
    private static final Logger ACTORS = (Logger) LoggerFactory.getLogger("io.jsrpt");
    private static final Logger AKKA = (Logger) LoggerFactory.getLogger("akka");

    @BeforeAll
    static void silence() {
        ACTORS.setLevel(Level.OFF);
        AKKA.setLevel(Level.OFF);
    }

    @AfterAll
    static void restore() {
        ACTORS.setLevel(null);
        AKKA.setLevel(null);
    }

    @Test
    void everyScheduleKeepsTheRule() throws Exception {
        Tally all = new Tally(0, 0, 0, 0);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Tally>> parts = new ArrayList<>();
            for (int part = 0; part < THREADS; part++) {
                long first = FIRST_SEED + part;
                parts.add(threads.submit(() -> runSome(first)));
            }
            for (Future<Tally> part : parts) {
                all = all.plus(part.get());
            }
        }
        System.out.println(COUNT + " schedules from seed " + FIRST_SEED + ": " + all);
        if (COUNT >= 1000) {
            assertTrue(all.connections >= COUNT && all.established >= COUNT / 4 && all.refused >= COUNT / 4
                    && all.lateStoreOperations >= COUNT / 1000, "the schedules say too little: " + all);
        }
    }

    private static Tally runSome(long first) throws InterruptedException {
        Tally sum = new Tally(0, 0, 0, 0);
        try (SteppingSystem actors = new SteppingSystem()) {
            for (long seed = first; seed < FIRST_SEED + COUNT; seed += THREADS) {
                Schedule.Outcome outcome = new Schedule(actors, seed, ChannelActor::create).run();
                assertEquals(List.of(), outcome.problems(), "schedule.seed=" + seed);
                sum = sum.plus(Tally.of(outcome));
            }
        }
        return sum;
    }

    private record Tally(long connections, long established, long refused, long lateStoreOperations) {
        static Tally of(Schedule.Outcome o) {
            return new Tally(
                    o.connections(),
                    o.sent().stream().filter(sent -> sent.contains("DRE")).count(),
                    o.sent().stream().filter(sent -> sent.contains("REJ")).count(),
                    o.lateStoreOperations());
        }

        Tally plus(Tally o) {
            return new Tally(connections + o.connections, established + o.established, refused + o.refused,
                    lateStoreOperations + o.lateStoreOperations);
        }
    }

    /** A seed that was seen to fail among others can be run again alone. */
    @Test
    void aSeedGivesTheSameScheduleAgain() throws InterruptedException {
        try (SteppingSystem shared = new SteppingSystem()) {
            for (long seed = 1; seed <= 100; seed++) {
                Schedule.Outcome among = new Schedule(shared, seed, ChannelActor::create).run();
                assertEquals(among, alone(seed), "schedule.seed=" + seed);
            }
        }
    }

    private static Schedule.Outcome alone(long seed) throws InterruptedException {
        try (SteppingSystem actors = new SteppingSystem()) {
            return new Schedule(actors, seed, ChannelActor::create).run();
        }
    }

    /** The test of the test: each way to break the rule is found within few schedules. */
    @ParameterizedTest
    @EnumSource
    void findsABrokenRule(RuleBreaker breaker) throws InterruptedException {
        int found = 0;
        try (SteppingSystem actors = new SteppingSystem()) {
            for (long seed = 1; seed <= 1000; seed++) {
                Schedule.Outcome outcome = new Schedule(
                        actors, seed, (port, attempt) -> breaker.around(ChannelActor.create(port, attempt))).run();
                found += outcome.problems().isEmpty() ? 0 : 1;
            }
        }
        assertFalse(found == 0, "1000 schedules did not find " + breaker);
    }
}
