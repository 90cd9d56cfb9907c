package io.jsrpt.it.fault;

import io.jsrpt.rdma.RdmaDevice;
import io.jsrpt.rdma.RdmaException;
import io.jsrpt.rdma.RdmaProvider;
import io.jsrpt.rdma.RdmaService;
import io.jsrpt.rdma.RdmaSettings;
import java.util.List;
import java.util.Optional;

/** Wraps a provider; see {@link Faults} for what can be made of it. */
public final class FaultyProvider implements RdmaProvider {
    private final RdmaProvider inner;
    private final Faults faults;

    public FaultyProvider(RdmaProvider inner, Faults faults) {
        this.inner = inner;
        this.faults = faults;
    }

    @Override
    public String name() {
        return "faulty-" + inner.name();
    }

    @Override
    public Optional<String> unavailable() {
        return inner.unavailable();
    }

    @Override
    public RdmaService open(RdmaSettings settings) throws RdmaException {
        return new FaultyService(inner.open(settings), faults);
    }

    private static final class FaultyService implements RdmaService {
        private final RdmaService inner;
        private final List<RdmaDevice> devices;

        FaultyService(RdmaService inner, Faults faults) {
            this.inner = inner;
            devices = inner.devices().stream().<RdmaDevice>map(d -> new FaultyDevice(d, faults)).toList();
        }

        @Override
        public List<RdmaDevice> devices() {
            return devices;
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
