package io.jsrpt.rdma.verbs;

import io.jsrpt.rdma.MemoryRegion;
import io.jsrpt.rdma.ProtectionDomain.Access;
import io.jsrpt.rdma.RdmaException;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Memory that the kernel has pinned and the device knows. */
final class VerbsMemoryRegion implements MemoryRegion {
    private final VerbsDevice device;
    private final MemorySegment memory;
    private final long pointer;
    private final int lkey;
    private final int rkey;
    private final Gate gate = new Gate();

    private VerbsMemoryRegion(VerbsDevice device, MemorySegment memory, long pointer) {
        this.device = device;
        this.memory = memory;
        this.pointer = pointer;
        lkey = Raw.getInt(pointer + Layouts.Mr.LKEY);
        rkey = Raw.getInt(pointer + Layouts.Mr.RKEY);
    }

    static VerbsMemoryRegion register(VerbsProtectionDomain pd, MemorySegment memory, Set<Access> access)
            throws RdmaException {
        // the device needs the local right to write for the remote one, and for receives and READs
        int rights = Ibverbs.ACCESS_LOCAL_WRITE
            | (access.contains(Access.REMOTE_WRITE) ? Ibverbs.ACCESS_REMOTE_WRITE : 0)
            | (access.contains(Access.REMOTE_READ) ? Ibverbs.ACCESS_REMOTE_READ : 0);
        long pointer = Ibverbs.regMr(pd.pointer(), memory.address(), memory.byteSize(), rights);
        if (pointer == 0) {
            throw failed(pd.device().name(), memory.byteSize(), Errno.last());
        }
        return new VerbsMemoryRegion(pd.device(), memory, pointer);
    }

    private static RdmaException failed(String device, long bytes, int errno) {
        String what = device + ": " + bytes + " bytes of memory cannot be registered: ibv_reg_mr";
        if (errno == Errno.ENOMEM || errno == Errno.EAGAIN) {
            return new RdmaException(what + ": " + Errno.text(errno) + "; registered memory is locked, and this process"
                + " may lock " + LockedMemory.limit() + " (RLIMIT_MEMLOCK, \"max locked memory\"; systemd:"
                + " LimitMEMLOCK=infinity)");
        }
        return Errno.failed(what, errno);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public int lkey() {
        return lkey;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    @Override
    public void close() {
        if (gate.close()) {
            device.closed(this);
            int failed = Ibverbs.deregMr(pointer);
            if (failed != 0) {
                throw new IllegalStateException(device.name() + ": ibv_dereg_mr: " + Errno.text(failed));
            }
        }
    }
}
