package io.jsrpt.testing;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Fails the build when a ScalaTest suite's constructor throws: Surefire drops such a suite without a word. */
public final class SuiteLoadGuard implements TestExecutionListener {
    private volatile boolean failed;

    @Override
    public void executionFinished(TestIdentifier id, TestExecutionResult result) {
        if (id.getUniqueId().startsWith("[engine:scalatest]/[failed:")
                && result.getStatus() == TestExecutionResult.Status.FAILED) {
            failed = true;
            System.out.println("SUITE LOAD FAILURE: " + id.getDisplayName());
            result.getThrowable().ifPresent(t -> t.printStackTrace(System.out));
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (failed) {
            Runtime.getRuntime().halt(1);
        }
    }
}
