package io.jsrpt.channel;

/** The I/O contexts of a channel, one for each credit. Owner only. */
final class IoContexts {
    private final IoContext[] all;
    private final int[] free;
    private int freeCount;

    IoContexts(int count, int maxDescriptors, StoreHandover handover) {
        all = new IoContext[count];
        free = new int[count];
        for (int i = count - 1; i >= 0; i--) {
            all[i] = new IoContext(i, maxDescriptors, handover);
            free[freeCount++] = i;
        }
    }

    int size() {
        return all.length;
    }

    boolean hasFree() {
        return freeCount > 0;
    }

    /** Contexts that have a request. */
    int inUse() {
        return all.length - freeCount;
    }

    /** A context by its index; it may be free, see {@link IoContext#state}. */
    IoContext get(int index) {
        return all[index];
    }

    /** Takes a free context for a request. */
    IoContext take(IoState first) {
        IoContext context = all[free[freeCount - 1]];
        context.begin(first);
        freeCount--;
        return context;
    }

    /** Ends a context's request and frees the context. */
    void give(IoContext context) {
        context.moveTo(IoState.DONE);
        free[freeCount++] = context.index;
    }
}
