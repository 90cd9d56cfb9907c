package io.jsrpt.rdma.cm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Engine against engine over a link that loses, repeats and reorders; a failure names the seed that shows it again. */
class CmLossyLinkTest {
    private static final int SEEDS = 500;

    @Test
    void bothEndsAgreeWhateverTheLinkDoes() {
        int established = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            LossyWorld world = new LossyWorld(seed);
            try {
                world.run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            established += world.established;
        }
        assertTrue(established > 10 * SEEDS, "the worlds are busy: " + established);
    }
}
