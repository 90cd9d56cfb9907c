package io.jsrpt.scsi.reservation;

import io.jsrpt.scsi.nexus.TransportId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A PERSISTENT RESERVE OUT (SPC-4 6.14), decoded.
 *
 * @param scope of the reservation, 4 bits; only 0, the logical unit, is a scope
 * @param type of the reservation, 4 bits, perhaps not a {@link ReservationType}
 * @param key the nexus's own key
 * @param serviceActionKey the key that the action is about
 * @param kept APTPL
 * @param allTargetPorts ALL_TG_PT
 * @param others the initiator ports to register too (SPEC_I_PT), or the one to move the reservation to
 * @param unregister UNREG of a move
 * @param relativePort the relative target port identifier of a move
 */
public record ReserveOut(Action action, int scope, int type, long key, long serviceActionKey, boolean kept,
        boolean allTargetPorts, List<TransportId> others, boolean unregister, int relativePort) {
    /** The length in bytes of a parameter list without TransportIDs. */
    public static final int BASIC_BYTES = 24;
    /** The longest parameter list that is taken. */
    public static final int MAX_BYTES = 8192;

    private static final int FLAGS = 20;
    private static final int APTPL = 0x01;
    private static final int ALL_TG_PT = 0x04;
    private static final int SPEC_I_PT = 0x08;
    private static final int MOVE_FLAGS = 17;
    private static final int MOVE_UNREG = 0x02;
    private static final int LENGTH_OF_IDS = 24;

    public ReserveOut {
        others = List.copyOf(others);
    }

    /** The service actions, in the order of their codes. */
    public enum Action {
        REGISTER,
        RESERVE,
        RELEASE,
        CLEAR,
        PREEMPT,
        PREEMPT_AND_ABORT,
        REGISTER_AND_IGNORE_EXISTING_KEY,
        REGISTER_AND_MOVE
    }

    /** A parameter list, or why it is none. */
    public sealed interface Decoded permits Valid, Invalid {}

    /** A parameter list that says what it must. */
    public record Valid(ReserveOut request) implements Decoded {}

    /** One that does not. */
    public record Invalid(Refusal refusal) implements Decoded {}

    /**
     * Decodes a parameter list.
     *
     * @param scopeAndType byte 2 of the CDB
     */
    public static Decoded decode(Action action, int scopeAndType, byte[] list) {
        if (list.length < BASIC_BYTES || list.length > MAX_BYTES) {
            return new Invalid(Refusal.LENGTH);
        }
        ByteBuffer buffer = ByteBuffer.wrap(list);
        return action == Action.REGISTER_AND_MOVE
            ? decodeMove(scopeAndType, buffer) : decodeBasic(action, scopeAndType, buffer);
    }

    private static Decoded decodeBasic(Action action, int scopeAndType, ByteBuffer buffer) {
        int flags = buffer.get(FLAGS);
        List<TransportId> others = new ArrayList<>();
        if ((flags & SPEC_I_PT) != 0) {
            if (action != Action.REGISTER) {
                return new Invalid(Refusal.parameter(FLAGS, 3));
            }
            if (buffer.capacity() < LENGTH_OF_IDS + 4 || !decodeIds(buffer, LENGTH_OF_IDS, others)) {
                return new Invalid(Refusal.parameter(LENGTH_OF_IDS, 7));
            }
        } else if (buffer.capacity() != BASIC_BYTES) {
            return new Invalid(Refusal.LENGTH);
        }
        return new Valid(new ReserveOut(action, scopeAndType >> 4, scopeAndType & 0xF, buffer.getLong(0),
            buffer.getLong(8), (flags & APTPL) != 0, (flags & ALL_TG_PT) != 0, others, false, 0));
    }

    /** SPC-4 6.14.4. */
    private static Decoded decodeMove(int scopeAndType, ByteBuffer buffer) {
        int flags = buffer.get(MOVE_FLAGS);
        List<TransportId> destination = new ArrayList<>();
        if (!decodeIds(buffer, FLAGS, destination) || destination.size() != 1) {
            return new Invalid(Refusal.parameter(FLAGS, 7));
        }
        return new Valid(new ReserveOut(Action.REGISTER_AND_MOVE, scopeAndType >> 4, scopeAndType & 0xF,
            buffer.getLong(0), buffer.getLong(8), (flags & APTPL) != 0, false, destination,
            (flags & MOVE_UNREG) != 0, buffer.getShort(18) & 0xFFFF));
    }

    /** Reads a length and as many bytes of TransportIDs, which must end the list. */
    private static boolean decodeIds(ByteBuffer buffer, int at, List<TransportId> ids) {
        int first = at + 4;
        int bytes = buffer.getInt(at);
        if (bytes != buffer.capacity() - first || bytes % TransportId.BYTES != 0) {
            return false;
        }
        for (int i = first; i < buffer.capacity(); i += TransportId.BYTES) {
            var id = TransportId.decode(buffer.array(), i);
            if (id.isEmpty()) {
                return false;
            }
            ids.add(id.get());
        }
        return true;
    }
}
