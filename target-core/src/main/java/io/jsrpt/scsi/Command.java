package io.jsrpt.scsi;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * One row of the command table.
 *
 * @param name as the standard writes it
 * @param serviceAction {@link #NO_SERVICE_ACTION} when the operation code alone names the command
 * @param usageHigh the CDB usage data (SPC-4 6.35.3), bytes 0 to 7: 1 for each bit that is evaluated or ignored on
 *     purpose; a bit outside it that is set is refused
 * @param usageLow the same, bytes 8 to 15; bytes after the command's end count as used
 * @param scope which addressees it works on
 * @param access what it does to the unit, which write protection and reservations go by
 * @param offer which units have it
 */
record Command(String name, int operationCode, int serviceAction, int cdbLength, long usageHigh, long usageLow,
        Scope scope, Access access, Offer offer, CommandHandler handler) {
    static final int NO_SERVICE_ACTION = -1;
    /** The service action's bits in byte 1. */
    static final int SERVICE_ACTION = 0x1F;

    /** Which addressees a command works on. */
    enum Scope {
        /** Every LUN, also one that names nothing. */
        ANY_LUN,
        /** Logical units, the well known one among them. */
        ANY_UNIT,
        /** Units of the map. */
        UNIT,
        /** Units of the map, and only while they are started. */
        MEDIUM
    }

    /** What a command does to the unit. */
    enum Access {
        /** Tells of the unit or the target; allowed whatever the reservation. */
        INFORM,
        /** Gives blocks or settings away; conflicts with an exclusive access reservation. */
        READ,
        /** Changes settings or caches; conflicts with every reservation. */
        CHANGE,
        /** Changes blocks; conflicts with every reservation, and refused by a write protected unit. */
        WRITE,
        /** As {@link #WRITE}, and no other write to the same blocks may come between its read and its write. */
        READ_MODIFY_WRITE;

        /** Whether blocks may change. */
        boolean writes() {
            return this == WRITE || this == READ_MODIFY_WRITE;
        }
    }

    /** Which units have a command: two rows may have the same codes when no unit has both. */
    enum Offer {
        EVERY_UNIT,
        /** Units that can give space back (LBPME). */
        THIN,
        /** All others. */
        FULLY_PROVISIONED;

        /** Whether a unit is among them. */
        boolean by(LogicalUnit unit) {
            return switch (this) {
                case EVERY_UNIT -> true;
                case THIN -> unit.thin();
                case FULLY_PROVISIONED -> !unit.thin();
            };
        }
    }

    /** A row for every unit from its usage data in hexadecimal, which also tells the length and the operation code. */
    static Command of(String name, Scope scope, Access access, String usage, CommandHandler handler) {
        byte[] used = HexFormat.of().parseHex(usage.replace(" ", ""));
        return of(name, scope, access, used, NO_SERVICE_ACTION, handler);
    }

    /** The same for a command with a service action, which byte 1 of the usage data tells too. */
    static Command withServiceAction(String name, Scope scope, Access access, String usage, CommandHandler handler) {
        byte[] used = HexFormat.of().parseHex(usage.replace(" ", ""));
        int serviceAction = used[1] & SERVICE_ACTION;
        used[1] |= SERVICE_ACTION;
        return of(name, scope, access, used, serviceAction, handler);
    }

    private static Command of(String name, Scope scope, Access access, byte[] used, int serviceAction,
            CommandHandler handler) {
        int operationCode = used[0] & 0xFF;
        used[0] = (byte) 0xFF;
        long high = -1;
        long low = -1;
        for (int i = 0; i < used.length; i++) {
            long stray = ~used[i] & 0xFFL;
            if (i < 8) {
                high ^= stray << (56 - 8 * i);
            } else {
                low ^= stray << (120 - 8 * i);
            }
        }
        return new Command(name, operationCode, serviceAction, used.length, high, low, scope, access,
            Offer.EVERY_UNIT, handler);
    }

    /** The same row, for some units only. */
    Command offered(Offer by) {
        return new Command(name, operationCode, serviceAction, cdbLength, usageHigh, usageLow, scope, access, by,
            handler);
    }

    /** The usage data as REPORT SUPPORTED OPERATION CODES gives it: with the codes themselves in place of a mask. */
    byte[] usage() {
        byte[] bytes = new byte[Cdb.LENGTH];
        BigEndian.putLong(bytes, 0, usageHigh);
        BigEndian.putLong(bytes, 8, usageLow);
        bytes[0] = (byte) operationCode;
        if (serviceAction != NO_SERVICE_ACTION) {
            bytes[1] = (byte) ((bytes[1] & ~SERVICE_ACTION) | serviceAction);
        }
        return Arrays.copyOf(bytes, cdbLength);
    }

    /**
     * The field pointer for a bit that is set outside the usage mask. The field is taken to reach left to the next used
     * bit or the byte's start; in the control byte, whose bits stand for themselves, it is the bit.
     *
     * @param bit as {@link Cdb#firstBitOutside} counts
     */
    ScsiTask.Phase refuseBit(ScsiTask task, int bit) {
        int at = bit >> 3;
        int left = bit;
        while (at != cdbLength - 1 && (left & 7) != 0 && !uses(left - 1)) {
            left--;
        }
        return task.invalidField(at, 7 - (left & 7));
    }

    private boolean uses(int bit) {
        long mask = bit < 64 ? usageHigh : usageLow;
        return (mask << (bit & 63)) < 0;
    }

    /** Whether a unit has the command; anything else that a LUN names, null, has those of every unit. */
    boolean offeredBy(LogicalUnit unit) {
        return offer == Offer.EVERY_UNIT || (unit != null && offer.by(unit));
    }

    /** Whether the command can be sent to what the LUN names. */
    boolean reaches(Addressee addressee) {
        return switch (addressee) {
            case UNIT -> true;
            case WELL_KNOWN -> scope == Scope.ANY_LUN || scope == Scope.ANY_UNIT;
            case NOTHING -> scope == Scope.ANY_LUN;
        };
    }
}
