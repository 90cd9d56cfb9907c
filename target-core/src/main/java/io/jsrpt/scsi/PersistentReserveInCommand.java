package io.jsrpt.scsi;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.nexus.TransportId;
import io.jsrpt.scsi.reservation.Registration;
import io.jsrpt.scsi.reservation.ReservationType;
import io.jsrpt.scsi.reservation.Reservations;
import java.util.Map;

/** PERSISTENT RESERVE IN, SPC-4 6.13, of the reservations as they are published. */
record PersistentReserveInCommand(Action action) implements CommandHandler {
    private static final int HEADER = 8;
    private static final int STATUS_DESCRIPTOR = 24;
    /** CRH, SIP_C and ATP_C: RESERVE of a holder is tolerated, SPEC_I_PT and ALL_TG_PT are supported. */
    private static final int CAPABILITIES = 0x1C;
    private static final int PTPL_C = 0x01;
    /** The type mask is valid; TEST UNIT READY is allowed whatever is reserved. */
    private static final int TMV_AND_ALLOWED = 0x90;
    private static final int PTPL_A = 0x01;

    /** The service actions, in the order of their codes. */
    enum Action {
        READ_KEYS,
        READ_RESERVATION,
        REPORT_CAPABILITIES,
        READ_FULL_STATUS
    }

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        Reservations reservations = task.state.reservations();
        byte[] data = switch (action) {
            case READ_KEYS -> keys(reservations);
            case READ_RESERVATION -> reservation(reservations);
            case REPORT_CAPABILITIES -> capabilities(task.unit, reservations);
            case READ_FULL_STATUS -> fullStatus(task.unit, reservations);
        };
        return task.respond(data, task.cdb.u16(7));
    }

    private static byte[] keys(Reservations reservations) {
        byte[] data = withHeader(reservations, 8 * reservations.registrations().size());
        int at = HEADER;
        for (Registration registration : reservations.registrations().values()) {
            BigEndian.putLong(data, at, registration.key());
            at += 8;
        }
        return data;
    }

    /** A reservation that all registered nexuses hold has no key. */
    private static byte[] reservation(Reservations reservations) {
        if (reservations.held().isEmpty()) {
            return withHeader(reservations, 0);
        }
        Reservations.Held held = reservations.held().get();
        byte[] data = withHeader(reservations, 16);
        BigEndian.putLong(data, HEADER, held.type().heldByAll() ? 0 : reservations.key(held.holder()));
        data[HEADER + 13] = (byte) held.type().code();
        return data;
    }

    private static byte[] capabilities(LogicalUnit unit, Reservations reservations) {
        byte[] data = new byte[8];
        BigEndian.putShort(data, 0, data.length);
        data[2] = (byte) (CAPABILITIES | (unit.reservationKeeper().keeps() ? PTPL_C : 0));
        data[3] = (byte) (TMV_AND_ALLOWED | (reservations.kept() ? PTPL_A : 0));
        int mask = 0;
        for (ReservationType type : ReservationType.values()) {
            // a type's bit is that of its code, counted from the right of byte 4 and on in byte 5
            mask |= type.code() < 8 ? 0x100 << type.code() : 1;
        }
        BigEndian.putShort(data, 4, mask);
        return data;
    }

    private static byte[] fullStatus(LogicalUnit unit, Reservations reservations) {
        int descriptor = STATUS_DESCRIPTOR + TransportId.BYTES;
        byte[] data = withHeader(reservations, descriptor * reservations.registrations().size());
        int at = HEADER;
        for (Map.Entry<Nexus, Registration> entry : reservations.registrations().entrySet()) {
            BigEndian.putLong(data, at, entry.getValue().key());
            boolean holds = reservations.holds(entry.getKey());
            data[at + 12] = (byte) ((entry.getValue().allTargetPorts() ? 2 : 0) | (holds ? 1 : 0));
            data[at + 13] = (byte) (holds ? reservations.held().orElseThrow().type().code() : 0);
            BigEndian.putShort(data, at + 18, unit.settings().relativeTargetPort());
            BigEndian.putInt(data, at + 20, TransportId.BYTES);
            TransportId.of(entry.getKey()).encode(data, at + STATUS_DESCRIPTOR);
            at += descriptor;
        }
        return data;
    }

    private static byte[] withHeader(Reservations reservations, int length) {
        byte[] data = new byte[HEADER + length];
        BigEndian.putInt(data, 0, reservations.generation());
        BigEndian.putInt(data, 4, length);
        return data;
    }
}
