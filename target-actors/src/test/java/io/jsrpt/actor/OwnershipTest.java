package io.jsrpt.actor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class OwnershipTest {
    @Test
    void transferEmptiesTheGiver() {
        Ownership<String> giver = Ownership.of("id");
        Ownership<String> taker = giver.transfer();
        assertEquals("id", taker.get());
        assertThrows(IllegalStateException.class, giver::get);
        assertThrows(IllegalStateException.class, giver::transfer);
        assertThrows(IllegalStateException.class, giver::take);
        assertThrows(IllegalStateException.class, giver::offer);
    }

    @Test
    void theLastUseIsTheLast() {
        Ownership<String> owner = Ownership.of("id");
        assertEquals("id", owner.take());
        assertThrows(IllegalStateException.class, owner::take);
    }

    @Test
    void anAcceptedOfferCannotBeWithdrawn() {
        Ownership.Offer<String> offer = Ownership.of("id").offer();
        assertEquals("id", offer.accept().orElseThrow().get());
        assertEquals(Optional.empty(), offer.withdraw());
    }

    @Test
    void aWithdrawnOfferCannotBeAccepted() {
        Ownership.Offer<String> offer = Ownership.of("id").offer();
        assertEquals("id", offer.withdraw().orElseThrow().get());
        assertEquals(Optional.empty(), offer.accept());
    }

    @Test
    void whatIsGivenBackCanBeWithdrawn() {
        Ownership.Offer<String> offer = Ownership.of("id").offer();
        Ownership<String> accepted = offer.accept().orElseThrow();
        offer.giveBack(accepted);
        assertThrows(IllegalStateException.class, accepted::get);
        assertEquals("id", offer.withdraw().orElseThrow().get());
    }

    @Test
    void whatWasGivenAwayCannotBeGivenBack() {
        Ownership.Offer<String> offer = Ownership.of("id").offer();
        Ownership<String> accepted = offer.accept().orElseThrow();
        accepted.transfer();
        assertThrows(IllegalStateException.class, () -> offer.giveBack(accepted));
        assertEquals(Optional.empty(), offer.withdraw());
    }

    @Test
    void exactlyOneOfTwoThreadsGetsIt() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        try (ExecutorService taker = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 2000; i++) {
                Ownership.Offer<String> offer = Ownership.of("id").offer();
                Future<Boolean> accepted = taker.submit(() -> {
                    start.await();
                    return offer.accept().isPresent();
                });
                start.await();
                boolean withdrawn = offer.withdraw().isPresent();
                assertTrue(withdrawn != accepted.get(), "round " + i);
            }
        }
    }
}
