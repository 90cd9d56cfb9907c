package io.jsrpt.scsi.reservation;

import io.jsrpt.scsi.nexus.Nexus;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Persistent reservations as SPC-4 tells them, one sentence after the other, of nexuses that are small numbers; for
 * comparison. What is told to whom is a letter: P for RESERVATIONS PREEMPTED, L for RESERVATIONS RELEASED, G for
 * REGISTRATIONS PREEMPTED.
 */
final class NaiveReservations {
    static final int NONE = -1;

    final long[] keys;
    int holder = NONE;
    int type;
    int generation;
    final Map<Integer, Character> told = new TreeMap<>();

    NaiveReservations(int nexuses) {
        keys = new long[nexuses];
    }

    static Nexus nexus(int number) {
        return new Nexus(0, 100 + number, 7, 7, 0, 200 + number);
    }

    /** What comes of it: "good", or why not. */
    String out(int from, ReserveOut.Action action, int asked, long key, long actionKey) {
        told.clear();
        boolean ignore = action == ReserveOut.Action.REGISTER_AND_IGNORE_EXISTING_KEY;
        if (!ignore && keys[from] != key) {
            return "CONFLICT";
        }
        if (action != ReserveOut.Action.REGISTER && !ignore && keys[from] == 0) {
            return "CONFLICT";
        }
        return switch (action) {
            case REGISTER, REGISTER_AND_IGNORE_EXISTING_KEY -> register(from, actionKey);
            case RESERVE -> reserve(from, asked);
            case RELEASE -> release(from, asked);
            case CLEAR -> clear(from);
            case PREEMPT, PREEMPT_AND_ABORT -> preempt(from, asked, actionKey);
            case REGISTER_AND_MOVE -> throw new IllegalArgumentException();
        };
    }

    private String register(int from, long key) {
        if (keys[from] == 0 && key == 0) {
            return "good";
        }
        generation++;
        keys[from] = key;
        if (key == 0 && type != 0) {
            boolean last = registered() == 0;
            if (type >= 7 ? last : holder == from) {
                if (type == 5 || type == 6) {
                    tellRegistered(from, 'L');
                }
                type = 0;
                holder = NONE;
            }
        }
        return "good";
    }

    private String reserve(int from, int asked) {
        if (asked == 0 || asked == 2 || asked == 4 || asked > 8) {
            return "CDB_FIELD";
        }
        if (type == 0) {
            type = asked;
            holder = from;
            return "good";
        }
        return holds(from) && asked == type ? "good" : "CONFLICT";
    }

    private String release(int from, int asked) {
        if (!holds(from)) {
            return "good";
        }
        if (asked != type) {
            return "INVALID_RELEASE";
        }
        if (type >= 5) {
            tellRegistered(from, 'L');
        }
        type = 0;
        holder = NONE;
        return "good";
    }

    private String clear(int from) {
        tellRegistered(from, 'P');
        Arrays.fill(keys, 0);
        type = 0;
        holder = NONE;
        generation++;
        return "good";
    }

    private String preempt(int from, int asked, long victim) {
        boolean takes;
        if (victim == 0) {
            if (type < 7) {
                return "PARAMETER_FIELD";
            }
            takes = true;
        } else {
            takes = type != 0 && type < 7 && keys[holder] == victim;
        }
        if (takes && (asked == 0 || asked == 2 || asked == 4 || asked > 8)) {
            return "CDB_FIELD";
        }
        boolean any = takes;
        for (int i = 0; i < keys.length; i++) {
            boolean named = keys[i] != 0 && (victim == 0 || keys[i] == victim);
            if (named && !(takes && i == from)) {
                any = true;
                keys[i] = 0;
                if (i != from) {
                    told.put(i, 'G');
                }
            }
        }
        if (!any) {
            return "CONFLICT";
        }
        generation++;
        if (takes) {
            if (asked != type) {
                for (int i = 0; i < keys.length; i++) {
                    if (i != from && keys[i] != 0) {
                        told.put(i, 'L');
                    }
                }
            }
            type = asked;
            holder = from;
        } else if (type >= 7 && registered() == 0) {
            type = 0;
            holder = NONE;
        }
        return "good";
    }

    private void tellRegistered(int from, char what) {
        for (int i = 0; i < keys.length; i++) {
            if (i != from && keys[i] != 0) {
                told.put(i, what);
            }
        }
    }

    private int registered() {
        int count = 0;
        for (long key : keys) {
            count += key == 0 ? 0 : 1;
        }
        return count;
    }

    boolean holds(int nexus) {
        return type != 0 && (type >= 7 ? keys[nexus] != 0 : holder == nexus);
    }

    boolean mayRead(int nexus) {
        return switch (type) {
            case 3 -> holder == nexus;
            case 6, 8 -> keys[nexus] != 0;
            default -> true;
        };
    }

    boolean mayChange(int nexus) {
        return switch (type) {
            case 0 -> true;
            case 1, 3 -> holder == nexus;
            default -> keys[nexus] != 0;
        };
    }
}
