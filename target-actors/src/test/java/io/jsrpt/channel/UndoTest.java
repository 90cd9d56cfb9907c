package io.jsrpt.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jsrpt.rdma.RdmaException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UndoTest {
    private final List<String> closed = new ArrayList<>();

    private AutoCloseable resource(String name) {
        return () -> closed.add(name);
    }

    @Test
    void theYoungestIsClosedFirst() throws RdmaException {
        try (Undo undo = new Undo()) {
            undo.later(resource("memory"));
            undo.later(resource("queue"));
        }
        assertEquals(List.of("queue", "memory"), closed);
    }

    @Test
    void whatIsForgottenStays() throws RdmaException {
        try (Undo undo = new Undo()) {
            undo.later(resource("memory"));
            undo.forget();
        }
        assertEquals(List.of(), closed);
    }

    @Test
    void oneThatCannotBeClosedDoesNotKeepTheOthers() {
        Undo undo = new Undo();
        undo.later(resource("memory"));
        undo.later(() -> {
            throw new IllegalStateException("stuck");
        });
        undo.later(resource("queue"));
        assertThrows(IllegalStateException.class, undo::close);
        assertEquals(List.of("queue", "memory"), closed);
    }
}
