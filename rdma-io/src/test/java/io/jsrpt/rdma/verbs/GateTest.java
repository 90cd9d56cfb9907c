package io.jsrpt.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GateTest {
    @Test
    void nobodyEntersAfterTheClose() {
        Gate gate = new Gate();
        assertTrue(gate.enter());
        gate.leave();
        assertFalse(gate.closed());
        assertTrue(gate.close());
        assertTrue(gate.closed());
        assertFalse(gate.enter());
        assertFalse(gate.close());
    }

    @Test
    void theCloseWaitsForTheOneInside() throws Exception {
        for (int i = 0; i < 100; i++) {
            Gate gate = new Gate();
            AtomicInteger inside = new AtomicInteger();
            try (ExecutorService user = Executors.newSingleThreadExecutor()) {
                CompletableFuture<Void> entered = new CompletableFuture<>();
                user.execute(() -> {
                    while (gate.enter()) {
                        inside.incrementAndGet();
                        entered.complete(null);
                        inside.decrementAndGet();
                        gate.leave();
                    }
                });
                entered.get(30, TimeUnit.SECONDS);
                assertTrue(gate.close());
                assertEquals(0, inside.get());
            }
        }
    }
}
