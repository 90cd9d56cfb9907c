package io.jsrpt.testing.rdma;

import io.jsrpt.rdma.RdmaException;

/** Lets calls of the service fail. */
public interface Faults {
    /** Nothing fails. */
    Faults NONE = new Faults() {
        @Override
        public void refuse(String call) {}

        @Override
        public void crash(String call) {}
    };

    /**
     * Called at the start of a call that may fail for want of resources.
     *
     * @throws RdmaException to let it fail
     */
    void refuse(String call) throws RdmaException;

    /** Called at the start of a call; throws a runtime exception to let it fail as no caller expects. */
    void crash(String call);
}
