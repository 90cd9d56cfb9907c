package io.jsrpt.conf;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant by one that is not known. */
final class Suggestion {
    private Suggestion() {
    }

    /** The known name nearest to {@code given}, when it is near enough to be a misspelling of it. */
    static Optional<String> nearest(String given, Collection<String> known) {
        String wanted = normal(given);
        return known.stream()
            .filter(name -> distance(wanted, normal(name)) <= Math.max(1, Math.min(wanted.length(), name.length()) / 3))
            .min(Comparator.<String>comparingInt(name -> distance(wanted, normal(name)))
                .thenComparing(Comparator.naturalOrder()));
    }

    /** {@code "; did you mean \"NAME\"?"}, or nothing. */
    static String didYouMean(String given, Collection<String> known) {
        return nearest(given, known).map(name -> "; did you mean \"" + name + "\"?").orElse("");
    }

    private static String normal(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
    }

    /** Insertions, deletions, replacements and swaps of neighbours that lead from {@code a} to {@code b}. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], 1 + cost[i - 2][j - 2]);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
