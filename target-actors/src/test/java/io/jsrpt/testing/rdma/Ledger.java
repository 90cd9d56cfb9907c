package io.jsrpt.testing.rdma;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The account of all objects of a service, and the lock for them. */
public final class Ledger {
    private final Set<Entry> open = new LinkedHashSet<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> journal = new ArrayList<>();
    private long created;
    private long destroyed;

    Ledger() {}

    /** What broke the rules so far. */
    public List<String> violations() {
        synchronized (this) {
            return List.copyOf(violations);
        }
    }

    /** What is open, by name. */
    public List<String> open() {
        synchronized (this) {
            return open.stream().map(Entry::name).toList();
        }
    }

    /** How many objects were ever opened. */
    public long created() {
        synchronized (this) {
            return created;
        }
    }

    /** How many objects were ever destroyed. */
    public long destroyed() {
        synchronized (this) {
            return destroyed;
        }
    }

    /** What was sent and what was destroyed, in order. */
    public List<String> journal() {
        synchronized (this) {
            return List.copyOf(journal);
        }
    }

    void note(String what) {
        journal.add(what);
    }

    void violation(String what) {
        violations.add(what);
    }

    Entry opened(String name) {
        Entry entry = new Entry(name);
        open.add(entry);
        created++;
        return entry;
    }

    /** One object's account. */
    final class Entry {
        private final String name;
        private boolean gone;

        private Entry(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }

        boolean gone() {
            return gone;
        }

        /** A call that needs the object alive. */
        void used(String how) {
            if (gone) {
                violation(name + ": " + how + " after it was destroyed");
            }
        }

        /** The last call; false when it is a repetition. */
        boolean destroyed(boolean mayRepeat) {
            if (gone) {
                if (!mayRepeat) {
                    violation(name + ": destroyed twice");
                }
                return false;
            }
            gone = true;
            open.remove(this);
            destroyed++;
            note(name + " destroyed");
            return true;
        }
    }
}
