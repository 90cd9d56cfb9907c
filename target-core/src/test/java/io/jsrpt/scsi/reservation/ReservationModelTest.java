package io.jsrpt.scsi.reservation;

import static io.jsrpt.scsi.reservation.NaiveReservations.nexus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.reservation.ReserveOut.Action;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random PERSISTENT RESERVE OUT commands of a few nexuses, compared step by step with {@link NaiveReservations}. */
class ReservationModelTest {
    private static final int NEXUSES = 4;
    private static final Action[] ACTIONS = {Action.REGISTER, Action.RESERVE, Action.RELEASE, Action.CLEAR,
        Action.PREEMPT, Action.PREEMPT_AND_ABORT, Action.REGISTER_AND_IGNORE_EXISTING_KEY};

    private final NaiveReservations model = new NaiveReservations(NEXUSES);
    private Reservations reservations = Reservations.NONE;
    private final Map<String, Integer> results = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void doesWhatTheStandardSays(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 30_000; i++) {
            step(random, "seed " + seed + ", step " + i);
        }
        for (String result : List.of("good", "CONFLICT", "CDB_FIELD", "PARAMETER_FIELD", "INVALID_RELEASE")) {
            assertTrue(results.getOrDefault(result, 0) > 20, () -> "enough of each: " + results);
        }
    }

    private void step(Random random, String where) {
        int from = random.nextInt(NEXUSES);
        Action action = ACTIONS[random.nextInt(random.nextInt(8) == 0 ? ACTIONS.length : 3)];
        if (random.nextInt(6) == 0) {
            action = random.nextBoolean() ? Action.PREEMPT : Action.REGISTER_AND_IGNORE_EXISTING_KEY;
        }
        int type = random.nextInt(20) == 0 ? random.nextInt(16) : new int[] {1, 3, 5, 6, 7, 8}[random.nextInt(6)];
        long key = random.nextInt(8) == 0 ? random.nextInt(4) : model.keys[from];
        if (random.nextBoolean() && model.type != 0) {
            type = model.type;
        }
        long actionKey = random.nextInt(4);
        String what = where + ": " + action + " of " + from + ", type " + type + ", keys " + key + " " + actionKey;

        String expected = model.out(from, action, type, key, actionKey);
        ReserveOut request = new ReserveOut(action, 0, type, key, actionKey, false, false, List.of(), false, 0);
        switch (new ReservationRules(reservations, nexus(from), List.of(), 1).apply(request)) {
            case Outcome.Refused refused -> assertEquals(expected, refused.refusal().reason().name(), what);
            case Outcome.Done done -> {
                assertEquals(expected, "good", what);
                compareNotices(done, what);
                reservations = done.after();
            }
        }
        compare(what);
        results.merge(expected, 1, Integer::sum);
    }

    private void compareNotices(Outcome.Done done, String what) {
        Map<Integer, Character> told = new TreeMap<>();
        done.notices().forEach((nexus, notice) -> told.put((int) nexus.initiatorLow() - 100, switch (notice) {
            case RESERVATIONS_PREEMPTED -> 'P';
            case RESERVATIONS_RELEASED -> 'L';
            case REGISTRATIONS_PREEMPTED -> 'G';
        }));
        assertEquals(model.told, told, what);
    }

    private void compare(String what) {
        assertEquals(model.generation, reservations.generation(), what);
        assertEquals(model.type, reservations.held().map(held -> held.type().code()).orElse(0), what);
        for (int i = 0; i < NEXUSES; i++) {
            Nexus nexus = nexus(i);
            assertEquals(model.keys[i], reservations.key(nexus), what);
            assertEquals(model.holds(i), reservations.holds(nexus), what);
            assertEquals(model.mayRead(i), reservations.mayRead(nexus), what);
            assertEquals(model.mayChange(i), reservations.mayChange(nexus), what);
        }
    }
}
