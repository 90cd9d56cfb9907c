package io.jsrpt.channel;

import io.jsrpt.rdma.RdmaException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes what was created so far, the youngest first, unless told to forget it. */
final class Undo implements AutoCloseable {
    private final Deque<Step> steps = new ArrayDeque<>();

    <T extends AutoCloseable> T later(T resource) {
        steps.push(() -> close(resource));
        return resource;
    }

    void forget() {
        steps.clear();
    }

    /** Goes on when a step fails; the last failure is thrown. */
    @Override
    public void close() throws RdmaException {
        if (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } finally {
                close();
            }
        }
    }

    private static void close(AutoCloseable resource) throws RdmaException {
        try {
            resource.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new RdmaException("cannot undo", e);
        }
    }

    private interface Step {
        void run() throws RdmaException;
    }
}
