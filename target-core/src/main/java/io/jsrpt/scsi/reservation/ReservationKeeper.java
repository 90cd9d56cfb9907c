package io.jsrpt.scsi.reservation;

import java.io.IOException;
import java.util.Optional;

/** Keeps reservations over a loss of power, for units whose initiators ask for it (APTPL). By the unit's owner only. */
public interface ReservationKeeper {
    /** Keeps nothing: the unit says that it cannot. */
    ReservationKeeper NONE = new ReservationKeeper() {
        @Override
        public boolean keeps() {
            return false;
        }

        @Override
        public Optional<Reservations> load() {
            return Optional.empty();
        }

        @Override
        public void save(Reservations reservations) throws IOException {
            throw new IOException("reservations of this unit are not kept");
        }
    };

    /** Whether it can keep anything. */
    boolean keeps();

    /**
     * What was kept.
     *
     * @throws IOException when it cannot be told what was kept; a unit must not be served then, as it could be written
     *     to by an initiator that was fenced off
     */
    Optional<Reservations> load() throws IOException;

    /**
     * Keeps the reservations if they are to be {@link Reservations#kept}, else forgets what was kept. On return that is
     * on stable storage.
     *
     * @throws IOException when it may not be; the change of reservations must not be done then
     */
    void save(Reservations reservations) throws IOException;
}
