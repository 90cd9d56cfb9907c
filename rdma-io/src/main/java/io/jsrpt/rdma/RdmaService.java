package io.jsrpt.rdma;

import java.util.List;

/** An opened provider. */
public interface RdmaService extends AutoCloseable {
    /** The devices, in the order of the settings' addresses. */
    List<RdmaDevice> devices();

    /** Closes what is still open, in order, and ends the provider's threads. Idempotent. */
    @Override
    void close();
}
