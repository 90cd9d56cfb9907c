package io.jsrpt.rdma.roce;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The memory regions of a port, by key. A key is an index and a generation, and a slot's generation moves on when its
 * region goes, so that a stale key names nothing. Owned by the network thread.
 */
final class MemoryTable {
    static final int REMOTE_READ = 1;
    static final int REMOTE_WRITE = 2;

    private static final int GENERATION_BITS = 12;
    private static final int GENERATION_MASK = (1 << GENERATION_BITS) - 1;
    private static final int MAX_REGIONS = 1 << (32 - GENERATION_BITS);

    private long[] bases = new long[16];
    private long[] lengths = new long[16];
    private int[] domains = new int[16];
    private int[] keys = new int[16];
    private int[] rights = new int[16];
    private boolean[] used = new boolean[16];
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int next;

    /**
     * Adds a region.
     *
     * @param access a sum of {@link #REMOTE_READ} and {@link #REMOTE_WRITE}
     * @return its key; never 0
     * @throws IllegalStateException when the table is full
     */
    int add(int domain, long base, long length, int access) {
        // The oldest free slot is taken, so that a generation comes round as late as can be.
        int slot;
        if (free.size() > 64 || next == MAX_REGIONS) {
            if (free.isEmpty()) {
                throw new IllegalStateException("no room for another memory region");
            }
            slot = free.poll();
        } else {
            slot = next++;
            grow(slot);
        }
        int generation = keys[slot] + 1 & GENERATION_MASK;
        keys[slot] = slot << GENERATION_BITS | (generation == 0 ? 1 : generation);
        bases[slot] = base;
        lengths[slot] = length;
        domains[slot] = domain;
        rights[slot] = access;
        used[slot] = true;
        return keys[slot];
    }

    /** Removes the region with this key; without effect when there is none. */
    void remove(int key) {
        int slot = key >>> GENERATION_BITS;
        if (slot < next && used[slot] && keys[slot] == key) {
            used[slot] = false;
            free.add(slot);
        }
    }

    /**
     * Whether a region with this key holds the bytes and gives the rights. Address and length may be any 64 bits.
     *
     * @param access the rights that are needed; 0 for local access
     */
    boolean allows(int domain, int key, long address, long length, int access) {
        int slot = key >>> GENERATION_BITS;
        if (slot >= next || !used[slot] || keys[slot] != key || domains[slot] != domain) {
            return false;
        }
        long offset = address - bases[slot];
        return (rights[slot] & access) == access
            && offset >= 0
            && Long.compareUnsigned(address, bases[slot]) >= 0
            && length >= 0
            && length <= lengths[slot]
            && offset <= lengths[slot] - length;
    }

    private void grow(int slot) {
        if (slot < keys.length) {
            return;
        }
        int n = keys.length * 2;
        bases = Arrays.copyOf(bases, n);
        lengths = Arrays.copyOf(lengths, n);
        domains = Arrays.copyOf(domains, n);
        keys = Arrays.copyOf(keys, n);
        rights = Arrays.copyOf(rights, n);
        used = Arrays.copyOf(used, n);
    }
}
