package io.jsrpt.rdma.contract;

import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.ServiceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
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
        return tests(left, right, Limits.NONE);
    }

    /** The tests of the contract that remain with these limits; the others are skipped and say why. */
    public static Stream<DynamicNode> tests(Opener left, Opener right, Limits limits) {
        return Stream.of(
                container("connections", ConnectionContract.scenarios(), left, right, limits),
                container("transfers", TransferContract.scenarios(), left, right, limits),
                container("errors", ErrorContract.scenarios(), left, right, limits),
                container("completions", CompletionContract.scenarios(), left, right, limits),
                container("shared receive queue", SharedReceiveContract.scenarios(), left, right, limits),
                container("lifecycle", LifecycleContract.scenarios(), left, right, limits));
    }

    private static DynamicNode container(
            String name, List<Scenario> scenarios, Opener left, Opener right, Limits limits) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Scenario scenario : scenarios) {
            tests.add(DynamicTest.dynamicTest(scenario.name(), () -> run(scenario, left, right, limits)));
        }
        return DynamicContainer.dynamicContainer(name, tests);
    }

    private static void run(Scenario scenario, Opener left, Opener right, Limits limits) throws Exception {
        String deviation = limits.deviations().get(scenario.name());
        Assumptions.assumeTrue(deviation == null, deviation);
        try (Side active = new Side("left", left.open(), limits.otherService());
                Side passive = new Side("right", right.open(), limits.otherService())) {
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

    /**
     * What two providers, or the devices behind them, do not do.
     *
     * @param otherService a second service next to the one of the RDMA/CM port, of any kind that both have
     * @param deviations the names of tests that would fail, each with the reason
     */
    public record Limits(ServiceId otherService, Map<String, String> deviations) {
        static final Limits NONE = new Limits(new ServiceId(0x0002_c903_0000_1234L), Map.of());

        public Limits {
            deviations = Map.copyOf(deviations);
        }
    }

    /** A named part of the contract. */
    record Scenario(String name, Body body) {}

    /** What a scenario does with the side that connects and the side that listens. */
    @FunctionalInterface
    interface Body {
        void run(Side left, Side right) throws Exception;
    }
}
