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
 */
record Command(String name, int operationCode, int serviceAction, int cdbLength, long usageHigh, long usageLow,
        Scope scope, CommandHandler handler) {
    static final int NO_SERVICE_ACTION = -1;

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

    /** A row from its usage data in hexadecimal, which also tells the length and the codes. */
    static Command of(String name, Scope scope, String usage, CommandHandler handler) {
        return of(name, scope, usage, NO_SERVICE_ACTION, handler);
    }

    static Command of(String name, Scope scope, String usage, int serviceAction, CommandHandler handler) {
        byte[] used = HexFormat.of().parseHex(usage.replace(" ", ""));
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
        return new Command(name, used[0] & 0xFF, serviceAction, used.length, high, low, scope, handler);
    }

    /** The usage data as REPORT SUPPORTED OPERATION CODES gives it. */
    byte[] usage() {
        byte[] bytes = new byte[Cdb.LENGTH];
        BigEndian.putLong(bytes, 0, usageHigh);
        BigEndian.putLong(bytes, 8, usageLow);
        return Arrays.copyOf(bytes, cdbLength);
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
