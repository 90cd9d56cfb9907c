package io.jsrpt.scsi.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.reservation.Reservations.Held;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReservationFileTest {
    private static final Nexus ONE = new Nexus(-1, 1, 7, 0x8000000000000000L, 0, 101);
    private static final Nexus TWO = new Nexus(2, -2, 7, 7);

    @TempDir
    private Path folder;
    private ReservationFile file;

    @BeforeEach
    void name() {
        file = new ReservationFile(folder.resolve("disk.reservations"), "6000000000000001");
    }

    private static Reservations of(boolean kept, Optional<Held> held) {
        Map<Nexus, Registration> registrations = new LinkedHashMap<>();
        registrations.put(TWO, new Registration(-1, true));
        registrations.put(ONE, new Registration(0x1234, false));
        return new Reservations(5, kept, registrations, held);
    }

    private List<String> names() throws IOException {
        try (var names = Files.list(folder)) {
            return names.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void nothingWasKept() throws IOException {
        assertEquals(Optional.empty(), file.load());
    }

    @ParameterizedTest
    @EnumSource
    void whatWasKeptComesBack(ReservationType type) throws IOException {
        Reservations saved = of(true, Optional.of(new Held(type, ONE)));
        file.save(saved);
        Reservations loaded = file.load().orElseThrow();
        assertEquals(saved.registrations(), loaded.registrations());
        assertEquals(List.of(TWO, ONE), List.copyOf(loaded.registrations().keySet()), "in their order");
        assertEquals(saved.held(), loaded.held());
        assertTrue(loaded.kept());
        assertEquals(0, loaded.generation(), "SPC-4 6.13.2: a restart sets PRGENERATION to zero");
        assertEquals(List.of("disk.reservations"), names());
    }

    @Test
    void theLastOneCounts() throws IOException {
        file.save(of(true, Optional.of(new Held(ReservationType.WRITE_EXCLUSIVE, ONE))));
        file.save(of(true, Optional.empty()));
        assertEquals(Optional.empty(), file.load().orElseThrow().held());
    }

    @Test
    void whatIsNotToBeKeptIsForgotten() throws IOException {
        file.save(of(true, Optional.empty()));
        file.save(of(false, Optional.empty()));
        assertEquals(List.of(), names());
        file.save(of(false, Optional.empty()));
        assertEquals(Optional.empty(), file.load());
    }

    @Test
    void leftoversOfALossOfPowerAreOverwritten() throws IOException {
        Files.writeString(folder.resolve("disk.reservations.new"), "x".repeat(10_000));
        file.save(of(true, Optional.empty()));
        assertEquals(2, file.load().orElseThrow().registrations().size());
    }

    /** A file that is not whole must not be taken for an empty one: someone who was fenced off could write. */
    @Test
    void everyDamageIsSeen() throws IOException {
        file.save(of(true, Optional.of(new Held(ReservationType.WRITE_EXCLUSIVE, ONE))));
        byte[] whole = Files.readAllBytes(file.path());
        for (int length = 0; length < whole.length; length++) {
            Files.write(file.path(), Arrays.copyOf(whole, length));
            assertThrows(IOException.class, file::load, "cut to " + length + " bytes");
        }
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            Files.write(file.path(), damaged);
            assertThrows(IOException.class, file::load, "byte " + i + " is another");
        }
    }

    @Test
    void notThatOfAnotherUnit() throws IOException {
        file.save(of(true, Optional.empty()));
        assertThrows(IOException.class, () -> new ReservationFile(file.path(), "6000000000000002").load());
    }

    @Test
    void aFolderThatIsGoneIsAnError() {
        ReservationFile nowhere = new ReservationFile(folder.resolve("gone/disk"), "6");
        assertThrows(IOException.class, () -> nowhere.save(of(true, Optional.empty())));
        assertFalse(ReservationKeeper.NONE.keeps());
        assertThrows(IOException.class, () -> ReservationKeeper.NONE.save(of(true, Optional.empty())));
    }
}
