package io.jsrpt.testing;

import io.jsrpt.rdma.WorkCompletion.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** The peer's registered memory in the fake fabric: what RDMA READ and WRITE act upon. */
public final class RemoteMemory {
    private final Map<Integer, Region> regions = new HashMap<>();
    private int nextKey = 0x1000;
    private long nextAddress = 0x7f00_0000_0000L;

    /** A region: its bytes are the test's to look at. */
    public record Region(long address, int rkey, byte[] bytes) {}

    /** Registers so many bytes, at an address of no special alignment. */
    public Region register(int length) {
        Region region = new Region(nextAddress + 3, nextKey++, new byte[length]);
        nextAddress += length + 4096L;
        regions.put(region.rkey(), region);
        return region;
    }

    /** Makes a region unreachable. */
    public void deregister(Region region) {
        regions.remove(region.rkey());
    }

    Status write(MemorySegment from, long address, int rkey) {
        return copy(from, address, rkey, true);
    }

    Status read(MemorySegment into, long address, int rkey) {
        return copy(into, address, rkey, false);
    }

    private Status copy(MemorySegment local, long address, int rkey, boolean toRemote) {
        Region region = regions.get(rkey);
        long length = local.byteSize();
        if (region == null || address < region.address()
                || address + length > region.address() + region.bytes().length) {
            return Status.REMOTE_ACCESS_ERROR;
        }
        int at = (int) (address - region.address());
        if (toRemote) {
            MemorySegment.copy(local, ValueLayout.JAVA_BYTE, 0, region.bytes(), at, (int) length);
        } else {
            MemorySegment.copy(region.bytes(), at, local, ValueLayout.JAVA_BYTE, 0, (int) length);
        }
        return Status.SUCCESS;
    }
}
