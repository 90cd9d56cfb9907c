package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A protection domain. */
final class VerbsProtectionDomain implements ProtectionDomain {
    private final VerbsDevice device;
    private final long pointer;
    private final Gate gate = new Gate();

    private VerbsProtectionDomain(VerbsDevice device, long pointer) {
        this.device = device;
        this.pointer = pointer;
    }

    static VerbsProtectionDomain create(VerbsDevice device) throws RdmaException {
        long pointer = Ibverbs.allocPd(device.context().pointer());
        if (pointer == 0) {
            throw Errno.failed(device.name() + ": ibv_alloc_pd", Errno.last());
        }
        return new VerbsProtectionDomain(device, pointer);
    }

    @Override
    public VerbsDevice device() {
        return device;
    }

    long pointer() {
        return pointer;
    }

    @Override
    public MemoryRegion register(MemorySegment memory, Set<Access> access) throws RdmaException {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("only native memory can be registered");
        }
        return device.register(this, memory, access);
    }

    @Override
    public void close() {
        if (gate.close()) {
            int failed = Ibverbs.deallocPd(pointer);
            device.closed(this);
            if (failed != 0) {
                throw new IllegalStateException(device.name() + ": ibv_dealloc_pd: " + Errno.text(failed));
            }
        }
    }

    @Override
    public String toString() {
        return "protection domain 0x" + Long.toHexString(pointer);
    }
}
