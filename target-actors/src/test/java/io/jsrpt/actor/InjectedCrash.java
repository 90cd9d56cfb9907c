package io.jsrpt.actor;

import java.io.Serial;

/** A failure that a test has asked for. */
final class InjectedCrash extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    InjectedCrash(String call) {
        super(call, null, false, false);
    }

    /** Whether a failure goes back to one that a test has asked for. */
    static boolean causes(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof InjectedCrash) {
                return true;
            }
        }
        return false;
    }
}
