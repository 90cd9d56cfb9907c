package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.store.MemoryStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads and writes on a memory store allocate nothing. */
class AllocationTest {
    private static final int COMMANDS = 50_000;
    private static final int LENGTH = 4096;

    private final ScsiTask task = new ScsiTask();
    private final Nexus nexus = new Nexus(1, 2, 3, 4);
    private final DeviceServer server =
        new DeviceServer(Map.of(0, Units.over(new MemoryStore(Units.BLOCKS * 512L, 512))));
    private int done;
    private final TaskCompletion completion = _ -> done++;

    @Test
    void nothingPerCommand() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(LENGTH, 8);
            MemorySegment[] cdbs = new MemorySegment[4];
            String[] forms = {"28 00 00000010 00 0008 00 000000000000", "2A 00 00000010 00 0008 00 000000000000",
                "88 00 0000000000000010 00000008 00 00", "8A 00 0000000000000010 00000008 00 00"};
            for (int i = 0; i < forms.length; i++) {
                cdbs[i] = arena.allocate(16);
                MemorySegment.copy(Initiator.bytes(forms[i]), 0, cdbs[i], ValueLayout.JAVA_BYTE, 0, 16);
            }
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            run(cdbs, buffer);
            long before = threads.getCurrentThreadAllocatedBytes();
            run(cdbs, buffer);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertEquals(2 * COMMANDS, done);
            assertTrue(allocated < COMMANDS, allocated + " bytes by " + COMMANDS + " commands");
        }
    }

    private void run(MemorySegment[] cdbs, MemorySegment buffer) {
        for (int i = 0; i < COMMANDS; i++) {
            boolean read = (i & 1) == 0;
            server.begin(task, nexus, 0, cdbs[i & 3], 0, 16, TaskAttribute.SIMPLE, read ? LENGTH : 0,
                read ? 0 : LENGTH);
            server.execute(task, buffer, completion);
        }
    }
}
