package io.jsrpt.actor;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.testing.rdma.Faults;
import java.util.random.RandomGenerator;

/** Calls of the provider that fail now and then. */
final class RandomFaults implements Faults {
    private final RandomGenerator random;
    private final double rate;

    RandomFaults(RandomGenerator random, double rate) {
        this.random = random;
        this.rate = rate;
    }

    @Override
    public void refuse(String call) throws RdmaException {
        if (random.nextDouble() < rate) {
            throw new RdmaException("injected: cannot " + call);
        }
    }

    @Override
    public void crash(String call) {
        if (random.nextDouble() < rate) {
            throw new InjectedCrash(call);
        }
    }
}
