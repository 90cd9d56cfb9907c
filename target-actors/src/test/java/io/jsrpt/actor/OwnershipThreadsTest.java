package io.jsrpt.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.srp.TaskManagement;
import io.jsrpt.testing.SimStore;
import io.jsrpt.testing.rdma.Faults;
import io.jsrpt.testing.rdma.SimId;
import io.jsrpt.testing.rdma.SimQueuePair;
import io.jsrpt.testing.rdma.SimService;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The ownership rule on the real dispatchers, where actors run at once: what the stepped schedules cannot show. */
final class OwnershipThreadsTest {
    private static final int ROUNDS = 20;
    private static final int STIMULI = 2000;
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger("ROOT");

    @BeforeAll
    static void silence() {
        ROOT.setLevel(Level.OFF);
    }

    @AfterAll
    static void restore() {
        ROOT.setLevel(Level.ERROR);
    }

    @Test
    void realThreadsKeepTheRule() throws Exception {
        int connections = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            OnceStarted faults = new OnceStarted(new RandomFaults(random, round % 2 * 0.002));
            SimService service = new SimService(2, faults);
            SimStore store = new SimStore();
            try (SrpTarget target = SrpTarget.start(service, hasty(store))) {
                faults.started = true;
                for (int i = 0; i < STIMULI; i++) {
                    stimulate(random, service, store);
                    if (random.nextInt(10) == 0) {
                        // Lets the actors keep up, more or less.
                        target.status().toCompletableFuture().join();
                    }
                }
            }
            while (store.underWay() > 0) {
                store.end(true);
            }
            connections += service.connections().size();
            assertEquals(List.of(), service.ledger().violations(), "round " + round);
            assertEquals(List.of(), service.ledger().open(), "round " + round);
            assertEquals(0, service.memoriesAlive(), "round " + round);
        }
        assertTrue(connections > ROUNDS * 50, "too few connections to say anything: " + connections);
    }

    private static TargetSettings hasty(SimStore store) {
        Duration little = Duration.ofMillis(20);
        return TestUnits.target(store).withTimeouts(new TargetTimeouts(
                little, little, little, little, little, Duration.ofMillis(500), little));
    }

    private static void stimulate(Random random, SimService service, SimStore store) {
        List<SimId> ids = service.connections();
        int host = random.nextInt(4);
        if (ids.isEmpty() || random.nextInt(12) == 0) {
            service.device(random.nextInt(2)).request(TestUnits.remote(host), TestUnits.SERVICE,
                    random.nextBoolean() ? TestUnits.single(host) : TestUnits.multi(host));
            return;
        }
        SimId id = ids.get(Math.max(0, ids.size() - 1 - random.nextInt(8)));
        switch (random.nextInt(11)) {
            case 0, 1, 2, 3 -> id.rtu();
            case 4 -> id.dreq();
            case 5 -> id.queuePair().ifPresent(SimQueuePair::completeSend);
            case 6, 7 -> id.queuePair().ifPresent(
                    qp -> qp.arrive(TestUnits.command(random.nextInt(), random.nextBoolean())));
            case 8 -> id.queuePair().ifPresent(
                    qp -> qp.arrive(TestUnits.function(random.nextInt(), TaskManagement.LOGICAL_UNIT_RESET, 0)));
            case 9 -> id.queuePair().ifPresent(qp -> qp.fail(WorkCompletion.Status.RETRY_EXCEEDED));
            default -> store.end(true);
        }
    }

    /** Faults that leave the start alone. */
    private static final class OnceStarted implements Faults {
        private final Faults faults;
        private volatile boolean started;

        OnceStarted(Faults faults) {
            this.faults = faults;
        }

        @Override
        public void refuse(String call) throws RdmaException {
            if (started) {
                faults.refuse(call);
            }
        }

        @Override
        public void crash(String call) {
            if (started) {
                faults.crash(call);
            }
        }
    }
}
