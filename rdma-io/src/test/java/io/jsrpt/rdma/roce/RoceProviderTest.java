package io.jsrpt.rdma.roce;

import io.jsrpt.rdma.PathMtu;
import io.jsrpt.rdma.ProviderContract;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;

/** The provider {@code roce} over real UDP, between two addresses of the loopback interface. */
class RoceProviderTest extends ProviderContract {
    @Override
    protected RdmaService open() throws RdmaException {
        return new RoceProvider().open(new RdmaSettings(Loopback.addresses(2), PathMtu.MTU_4096, 4 << 20));
    }
}
