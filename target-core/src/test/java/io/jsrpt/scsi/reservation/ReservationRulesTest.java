package io.jsrpt.scsi.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.nexus.TransportId;
import io.jsrpt.scsi.reservation.ReserveOut.Action;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@link ReservationModelTest} leaves out: TransportIDs, moves, APTPL, limits, and who comes from where. */
class ReservationRulesTest {
    private static final Nexus ONE = new Nexus(0, 1, 7, 7, 0, 101);
    private static final Nexus TWO = new Nexus(0, 2, 7, 7, 0, 102);
    private static final Nexus THREE = new Nexus(0, 3, 7, 7, 0, 103);
    private static final int PORT = 5;
    private static final int EXCLUSIVE = 3;

    private Reservations reservations = Reservations.NONE;
    private List<Nexus> present = List.of(ONE, TWO, THREE);

    private Outcome out(Nexus from, ReserveOut request) {
        Outcome outcome = new ReservationRules(reservations, from, present, PORT).apply(request);
        if (outcome instanceof Outcome.Done done) {
            reservations = done.after();
        }
        return outcome;
    }

    private Outcome out(Nexus from, Action action, int type, long key, long actionKey) {
        return out(from, new ReserveOut(action, 0, type, key, actionKey, false, false, List.of(), false, 0));
    }

    private static void assertRefused(Refusal.Reason reason, Outcome outcome) {
        assertEquals(reason, assertInstance(outcome).refusal().reason());
    }

    private static Outcome.Refused assertInstance(Outcome outcome) {
        return (Outcome.Refused) outcome;
    }

    private static ReserveOut registerWith(long key, Nexus... others) {
        List<TransportId> ids = List.of(others).stream().map(TransportId::of).toList();
        return new ReserveOut(Action.REGISTER, 0, 0, 0, key, false, true, ids, false, 0);
    }

    private static ReserveOut move(long key, long newKey, Nexus to, boolean unregister, int port) {
        return new ReserveOut(Action.REGISTER_AND_MOVE, 0, 0, key, newKey, false, false, List.of(TransportId.of(to)),
            unregister, port);
    }

    @Test
    void registersOthersByTheirTransportIds() {
        out(ONE, registerWith(9, TWO, THREE));
        assertEquals(Set.of(ONE, TWO, THREE), reservations.registrations().keySet());
        assertEquals(new Registration(9, true), reservations.registrations().get(THREE));
        assertEquals(1, reservations.generation());
    }

    @Test
    void registersAllOrNone() {
        out(TWO, Action.REGISTER, 0, 0, 4);
        assertRefused(Refusal.Reason.PARAMETER_FIELD, out(ONE, registerWith(9, THREE, TWO)));
        assertEquals(Set.of(TWO), reservations.registrations().keySet());
    }

    @Test
    void aRegisteredNexusCannotRegisterOthers() {
        out(ONE, Action.REGISTER, 0, 0, 4);
        ReserveOut request = new ReserveOut(Action.REGISTER, 0, 0, 4, 5, false, false,
            List.of(TransportId.of(TWO)), false, 0);
        assertRefused(Refusal.Reason.PARAMETER_FIELD, out(ONE, request));
    }

    @Test
    void aPortThatIsNotThereYetGetsItsRegistrationWhenItComes() {
        present = List.of(ONE);
        out(ONE, registerWith(9, TWO));
        assertFalse(reservations.registered(TWO));
        reservations = reservations.arrived(TWO, present::contains);
        assertTrue(reservations.registered(TWO));
        assertEquals(2, reservations.registrations().size());
    }

    @Test
    void aPortThatComesFromAnotherAddressKeepsWhatItHas() {
        out(ONE, Action.REGISTER, 0, 0, 4);
        out(ONE, Action.RESERVE, EXCLUSIVE, 4, 0);
        Nexus moved = new Nexus(0, 1, 7, 7, 0, 999);
        Reservations before = reservations;
        assertSame(before, before.arrived(moved, List.of(ONE)::contains), "another host with the same identifier");
        Reservations after = before.arrived(moved, List.of(TWO)::contains);
        assertTrue(after.holds(moved));
        assertFalse(after.registered(ONE));
        assertFalse(after.mayChange(ONE));
    }

    @Test
    void equalIdentifiersFromTwoAddressesAreTwoNexuses() {
        Nexus twin = new Nexus(0, 1, 7, 7, 0, 999);
        out(ONE, Action.REGISTER, 0, 0, 4);
        out(ONE, Action.RESERVE, EXCLUSIVE, 4, 0);
        assertFalse(reservations.mayRead(twin));
        assertRefused(Refusal.Reason.CONFLICT, out(twin, Action.CLEAR, 0, 4, 0));
    }

    @Test
    void movesTheReservation() {
        out(ONE, Action.REGISTER, 0, 0, 4);
        out(ONE, Action.RESERVE, EXCLUSIVE, 4, 0);
        out(ONE, move(4, 6, TWO, false, PORT));
        assertTrue(reservations.holds(TWO));
        assertEquals(6, reservations.key(TWO));
        assertEquals(4, reservations.key(ONE));
        assertEquals(2, reservations.generation());
    }

    @Test
    void movesAndUnregisters() {
        out(ONE, Action.REGISTER, 0, 0, 4);
        out(TWO, Action.REGISTER, 0, 0, 5);
        out(ONE, Action.RESERVE, EXCLUSIVE, 4, 0);
        out(ONE, move(4, 6, TWO, true, PORT));
        assertTrue(reservations.holds(TWO));
        assertEquals(6, reservations.key(TWO));
        assertFalse(reservations.registered(ONE));
    }

    @Test
    void refusesToMove() {
        assertRefused(Refusal.Reason.CONFLICT, out(ONE, move(4, 6, TWO, true, PORT)));
        out(ONE, Action.REGISTER, 0, 0, 4);
        out(THREE, Action.REGISTER, 0, 0, 5);
        assertRefused(Refusal.Reason.CDB_FIELD, out(ONE, move(4, 6, TWO, true, PORT)));
        out(ONE, Action.RESERVE, EXCLUSIVE, 4, 0);
        assertRefused(Refusal.Reason.CONFLICT, out(ONE, move(9, 6, TWO, true, PORT)));
        assertRefused(Refusal.Reason.CONFLICT, out(THREE, move(5, 6, TWO, true, PORT)));
        assertRefused(Refusal.Reason.PARAMETER_FIELD, out(ONE, move(4, 0, TWO, true, PORT)));
        assertRefused(Refusal.Reason.PARAMETER_FIELD, out(ONE, move(4, 6, ONE, true, PORT)));
        assertRefused(Refusal.Reason.PARAMETER_FIELD, out(ONE, move(4, 6, TWO, true, PORT + 1)));
        out(ONE, Action.RELEASE, EXCLUSIVE, 4, 0);
        out(ONE, Action.RESERVE, 7, 4, 0);
        assertRefused(Refusal.Reason.CONFLICT, out(ONE, move(4, 6, TWO, true, PORT)));
    }

    @Test
    void aptplIsThatOfTheLastRegister() {
        out(ONE, new ReserveOut(Action.REGISTER, 0, 0, 0, 4, true, false, List.of(), false, 0));
        assertTrue(reservations.kept());
        out(ONE, Action.RESERVE, EXCLUSIVE, 4, 0);
        assertTrue(reservations.kept());
        out(TWO, Action.REGISTER, 0, 0, 5);
        assertFalse(reservations.kept());
    }

    @Test
    void wrongScopes() {
        out(ONE, Action.REGISTER, 0, 0, 4);
        ReserveOut scoped = new ReserveOut(Action.RESERVE, 2, EXCLUSIVE, 4, 0, false, false, List.of(), false, 0);
        assertRefused(Refusal.Reason.CDB_FIELD, out(ONE, scoped));
        out(ONE, Action.RESERVE, EXCLUSIVE, 4, 0);
        ReserveOut release = new ReserveOut(Action.RELEASE, 1, EXCLUSIVE, 4, 0, false, false, List.of(), false, 0);
        assertRefused(Refusal.Reason.INVALID_RELEASE, out(ONE, release));
    }

    @Test
    void registrationsAreLimited() {
        present = List.of();
        for (int i = 0; i < ReservationRules.MAX_REGISTRATIONS; i++) {
            out(new Nexus(1, i, 7, 7), Action.REGISTER, 0, 0, 4);
        }
        assertRefused(Refusal.Reason.NO_ROOM, out(ONE, Action.REGISTER, 0, 0, 4));
        assertEquals(ReservationRules.MAX_REGISTRATIONS, reservations.registrations().size());
        out(new Nexus(1, 0, 7, 7), Action.REGISTER, 0, 4, 0);
        out(ONE, Action.REGISTER, 0, 0, 4);
        assertTrue(reservations.registered(ONE));
    }

    @Test
    void preemptNamesThoseWhoLoseTheirRegistration() {
        out(ONE, Action.REGISTER, 0, 0, 4);
        out(TWO, Action.REGISTER, 0, 0, 5);
        out(THREE, Action.REGISTER, 0, 0, 5);
        out(TWO, Action.RESERVE, EXCLUSIVE, 5, 0);
        Outcome.Done done = (Outcome.Done) out(ONE, Action.PREEMPT_AND_ABORT, EXCLUSIVE, 4, 5);
        assertEquals(Set.of(TWO, THREE), done.preempted());
        assertTrue(reservations.holds(ONE));
    }
}
