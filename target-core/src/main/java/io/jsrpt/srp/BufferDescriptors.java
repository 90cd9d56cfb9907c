package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The descriptors of one data buffer in the initiator's memory, or the place of immediate data. Reused; filled by
 * {@link DataDescriptors}. Descriptors without bytes are left out.
 */
public final class BufferDescriptors {
    /** Nearly all commands have fewer descriptors; the arrays grow when one has more. */
    private static final int INITIAL = 16;

    private final int capacity;
    private long[] address;
    private int[] rkey;
    private long[] length;
    private int count;
    private long total;
    private long tableAddress;
    private int tableRkey;
    private int tableLength;
    private long announced;
    private boolean tableNeeded;
    private int immediateOffset;

    BufferDescriptors(int capacity) {
        this.capacity = capacity;
        address = new long[Math.min(INITIAL, capacity)];
        rkey = new int[address.length];
        length = new long[address.length];
    }

    /** Descriptors that are known; none for immediate data. */
    public int count() {
        return count;
    }

    /** The address of a piece in the initiator's memory. */
    public long address(int index) {
        return address[index];
    }

    /** The key of a piece. */
    public int rkey(int index) {
        return rkey[index];
    }

    /** The length of a piece in bytes, 1 to 2^32-1. */
    public long length(int index) {
        return length[index];
    }

    /** Bytes of the whole buffer: the sum of the pieces, or of the immediate data. */
    public long total() {
        return total;
    }

    /** Whether the data lie in the unit itself. */
    public boolean isImmediate() {
        return immediateOffset > 0;
    }

    /** Where the immediate data begin, counted from the unit's first byte. */
    public int immediateOffset() {
        return immediateOffset;
    }

    /**
     * Whether the table lies in the initiator's memory: read {@link #tableLength} bytes from {@link #tableAddress} and
     * give them to {@link #completeFromTable}.
     */
    public boolean tableNeeded() {
        return tableNeeded;
    }

    /** Address of the whole table in the initiator's memory. */
    public long tableAddress() {
        return tableAddress;
    }

    /** Key of the table. */
    public int tableRkey() {
        return tableRkey;
    }

    /** Bytes of the table, a multiple of 16 and at most 16 times the capacity. */
    public int tableLength() {
        return tableLength;
    }

    /** The second step for a table that was not in the unit. */
    public UnitProblem completeFromTable(MemorySegment memory, long offset, int bytes) {
        if (!tableNeeded || bytes != tableLength) {
            return UnitProblem.BAD_TABLE_LENGTH;
        }
        tableNeeded = false;
        return readTable(memory, offset);
    }

    void clear() {
        count = 0;
        total = 0;
        announced = 0;
        tableNeeded = false;
        tableLength = 0;
        immediateOffset = 0;
    }

    void immediate(int offset, long bytes) {
        immediateOffset = offset;
        total = bytes;
    }

    UnitProblem direct(MemorySegment memory, long at) {
        return add(memory, at);
    }

    /** Takes the 20 bytes of an indirect descriptor; {@link #readTable} must follow unless the table is elsewhere. */
    UnitProblem indirect(MemorySegment memory, long at) {
        long bytes = Wire.u32(memory, at + 12);
        announced = Wire.u32(memory, at + 16);
        if (bytes % BufferFormats.DESCRIPTOR_BYTES != 0) {
            return UnitProblem.BAD_TABLE_LENGTH;
        }
        if (bytes / BufferFormats.DESCRIPTOR_BYTES > capacity) {
            return UnitProblem.TOO_MANY_DESCRIPTORS;
        }
        tableAddress = Wire.i64(memory, at);
        tableRkey = Wire.i32(memory, at + 8);
        tableLength = (int) bytes;
        return wraps(tableAddress, bytes) ? UnitProblem.BAD_ADDRESS : UnitProblem.NONE;
    }

    void needTable() {
        tableNeeded = true;
    }

    UnitProblem readTable(MemorySegment memory, long at) {
        for (int i = 0; i < tableLength; i += BufferFormats.DESCRIPTOR_BYTES) {
            UnitProblem problem = add(memory, at + i);
            if (problem != UnitProblem.NONE) {
                return problem;
            }
        }
        return trimToAnnounced();
    }

    private UnitProblem add(MemorySegment memory, long at) {
        long va = Wire.i64(memory, at);
        long bytes = Wire.u32(memory, at + 12);
        if (wraps(va, bytes)) {
            return UnitProblem.BAD_ADDRESS;
        }
        if (bytes > 0) {
            if (count == address.length) {
                grow();
            }
            address[count] = va;
            rkey[count] = Wire.i32(memory, at + 8);
            length[count] = bytes;
            count++;
            total += bytes;
        }
        return UnitProblem.NONE;
    }

    private void grow() {
        int room = Math.min(capacity, 2 * count);
        address = Arrays.copyOf(address, room);
        rkey = Arrays.copyOf(rkey, room);
        length = Arrays.copyOf(length, room);
    }

    /** The announced total is the buffer; a table may hold more, never less. */
    private UnitProblem trimToAnnounced() {
        if (total < announced) {
            return UnitProblem.BAD_TOTAL_LENGTH;
        }
        long excess = total - announced;
        while (excess > 0) {
            long cut = Math.min(excess, length[count - 1]);
            length[count - 1] -= cut;
            excess -= cut;
            if (length[count - 1] == 0) {
                count--;
            }
        }
        total = announced;
        return UnitProblem.NONE;
    }

    private static boolean wraps(long va, long bytes) {
        return bytes > 0 && Long.compareUnsigned(va + (bytes - 1), va) < 0;
    }
}
