package io.jsrpt.rdma.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.rdma.WorkCompletion.Opcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkRingTest {
    private static final int TAG = 0x1234;

    private final WorkRing ring = new WorkRing(Arena.ofAuto(), 3, TAG, Layouts.SendWr.BYTES);

    private long add(long id, Opcode opcode) {
        return ring.add(id, opcode, 0x1000 + id, (int) id, 77);
    }

    /** The library's ids of what would be handed over now, in the order of the list. */
    private List<Long> list() {
        List<Long> ids = new ArrayList<>();
        for (long at = ring.first(); at != 0; ) {
            MemorySegment request = ring.memory().asSlice(at - ring.memory().address());
            ids.add(request.get(ValueLayout.JAVA_LONG, Layouts.SendWr.WR_ID));
            at = request.get(ValueLayout.JAVA_LONG, Layouts.SendWr.NEXT);
        }
        return ids;
    }

    private static long id(long sequence) {
        return (long) TAG << 48 | sequence;
    }

    @Test
    void requestsAreListedInOrderAcrossTheEnd() {
        long sequence = 0;
        for (int round = 0; round < 5; round++) {
            assertFalse(ring.pending());
            for (int i = 1; i <= 3; i++) {
                assertTrue(add(i, Opcode.SEND) >= 0);
            }
            assertEquals(-1, add(4, Opcode.SEND), "it is full");
            assertTrue(ring.pending());
            assertEquals(List.of(id(sequence), id(sequence + 1), id(sequence + 2)), list());
            ring.handedOver();
            ring.completeThrough(ring.find(id(sequence + 2)));
            sequence += 3;
        }
    }

    @Test
    void aRequestHasItsEntry() {
        long at = add(9, Opcode.SEND);
        MemorySegment request = ring.memory().asSlice(at);
        assertEquals(1, request.get(ValueLayout.JAVA_INT, Layouts.SendWr.NUM_SGE));
        long entry = request.get(ValueLayout.JAVA_LONG, Layouts.SendWr.SG_LIST) - ring.memory().address();
        assertEquals(0x1009, ring.memory().get(ValueLayout.JAVA_LONG, entry + Layouts.Sge.ADDR));
        assertEquals(9, ring.memory().get(ValueLayout.JAVA_INT, entry + Layouts.Sge.LENGTH));
        assertEquals(77, ring.memory().get(ValueLayout.JAVA_INT, entry + Layouts.Sge.LKEY));
        long empty = ring.add(0, Opcode.RDMA_WRITE, 0, 0, 0);
        assertEquals(0, ring.memory().get(ValueLayout.JAVA_INT, empty + Layouts.SendWr.NUM_SGE));
    }

    @Test
    void aCompletionFindsItsRequest() {
        add(100, Opcode.RDMA_WRITE);
        add(101, Opcode.RDMA_READ);
        ring.handedOver();
        long second = ring.find(id(1));
        assertEquals(101, ring.id(second));
        assertEquals(Opcode.RDMA_READ, ring.opcode(second));
        ring.completeThrough(second);
        assertEquals(-1, ring.find(id(0)), "the first has completed with the second");
        assertEquals(-1, ring.find(id(1)));
        assertEquals(-1, ring.find(id(2)), "not posted");
        add(102, Opcode.SEND);
        assertEquals(-1, ring.find((long) (TAG + 1) << 48 | 2), "of another ring");
        assertEquals(102, ring.id(ring.find(id(2))));
    }

    @Test
    void whatTheLibraryDoesNotTakeComesBackInOrder() {
        for (int i = 0; i < 3; i++) {
            add(i, Opcode.SEND);
        }
        assertEquals(-1, ring.nextRefused());
        long stride = Layouts.SendWr.BYTES + Layouts.Sge.BYTES;
        ring.refusedAt(ring.first() + stride);
        assertTrue(ring.refusing());
        assertFalse(ring.pending());
        assertEquals(0, ring.find(id(0)), "the first was taken");
        long next = ring.nextRefused();
        assertEquals(1, next);
        assertTrue(ring.firstRefused(next));
        ring.completeThrough(next);
        next = ring.nextRefused();
        assertEquals(2, next);
        assertFalse(ring.firstRefused(next));
        ring.completeThrough(next);
        assertEquals(-1, ring.nextRefused());
        add(3, Opcode.SEND);
        ring.handedOver();
        assertEquals(3, ring.nextRefused(), "nothing is handed over any more");
    }
}
