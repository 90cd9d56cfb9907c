package io.jsrpt.rdma.contract;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;

/**
 * The contract of the RDMA service interface as tests over a pair of opened providers, the same or two different ones.
 * A provider's test is a {@code @TestFactory} that returns {@link #tests}. Each test opens both sides anew, and fails
 * when one of them still counts something as open after all was closed.
 */
public final class ProviderContract {
    private ProviderContract() {}

    /**
     * All tests of the contract.
     *
     * @param left opens the side that connects
     * @param right opens the side that listens; it can be reached from the left one
     */
    public static Stream<DynamicNode> tests(Opener left, Opener right) {
        return Stream.of(
                container("connections", ConnectionContract.scenarios(), left, right),
                container("transfers", TransferContract.scenarios(), left, right),
                container("errors", ErrorContract.scenarios(), left, right),
                container("completions", CompletionContract.scenarios(), left, right),
                container("shared receive queue", SharedReceiveContract.scenarios(), left, right),
                container("lifecycle", LifecycleContract.scenarios(), left, right));
    }

    private static DynamicNode container(String name, List<Scenario> scenarios, Opener left, Opener right) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            tests.add(DynamicTest.dynamicTest(scenario.name(), () -> run(scenario, left, right)));
        }
        return DynamicContainer.dynamicContainer(name, tests);
    }

    private static void run(Scenario scenario, Opener left, Opener right) throws Exception {
        try (Side active = new Side("left", left.open());
                Side passive = new Side("right", right.open())) {
            scenario.body().run(active, passive);
            passive.closeAndCheck();
            active.closeAndCheck();
        }
    }

    /** Opens a service with at least one device. */
    @FunctionalInterface
    public interface Opener {
        RdmaService open() throws RdmaException;
    }

    /** A named part of the contract. */
    record Scenario(String name, Body body) {}

    /** What a scenario does with the side that connects and the side that listens. */
    @FunctionalInterface
    interface Body {
        void run(Side left, Side right) throws Exception;
    }
}
