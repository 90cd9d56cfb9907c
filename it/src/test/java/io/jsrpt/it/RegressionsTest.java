package io.jsrpt.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Keeps docs/regressions.md true: what it names is there, and what bears a report's number is in it. */
class RegressionsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final int REPORTS = 33;
    private static final Pattern ROW = Pattern.compile("^\\| (\\d+) \\| ([^|]+) \\| \\[[^]]+]\\(https://[^)]+\\) \\| "
            + "([^|]+) \\|$");
    private static final Pattern HOLDER = Pattern.compile("`(\\w+)(?:#(\\w+)| \"([^\"`]+)\")?`");
    private static final Pattern MENTION = Pattern.compile("(?i)reports? ?(\\d+)((?:(?:, | and |, and )\\d+)*)");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** By report: what holds it, as the page says. */
    private static final Map<Integer, String> HELD_BY = new TreeMap<>();

    /** By simple class name: the text of the test source. */
    private static final Map<String, String> SOURCES = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        for (String line : Files.readAllLines(ROOT.resolve("docs/regressions.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                HELD_BY.put(Integer.parseInt(row.group(1)), row.group(3));
            }
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(ROOT, 20)) {
            files = all.filter(RegressionsTest::isTest).toList();
        }
        for (Path file : files) {
            String name = file.getFileName().toString().replaceFirst("\\.\\w+$", "");
            SOURCES.merge(name, Files.readString(file), String::concat);
        }
        SOURCES.remove(RegressionsTest.class.getSimpleName());
    }

    private static boolean isTest(Path path) {
        String text = path.toString();
        return text.contains("/src/test/") && (text.endsWith("Test.java") || text.endsWith("Spec.scala"));
    }

    @Test
    void everyReportHasItsRow() {
        assertEquals(IntStream.rangeClosed(1, REPORTS).boxed().toList(), List.copyOf(HELD_BY.keySet()));
    }

    @Test
    void everyRowNamesATestOrSaysWhyNot() {
        HELD_BY.forEach((report, holders) -> assertTrue(
                HOLDER.matcher(holders).find() || holders.startsWith("cannot happen: "), "report " + report));
    }

    @Test
    void everyTestThatIsNamedIsThere() {
        List<String> missing = new ArrayList<>();
        HELD_BY.forEach((report, holders) -> HOLDER.matcher(holders).results()
                .filter(holder -> !isThere(holder))
                .forEach(holder -> missing.add("report " + report + ": " + holder.group())));
        assertEquals(List.of(), missing);
    }

    private static boolean isThere(MatchResult holder) {
        String source = SOURCES.get(holder.group(1));
        if (source == null) {
            return false;
        }
        if (holder.group(2) != null) {
            return source.contains("void " + holder.group(2) + "(");
        }
        return holder.group(3) == null || source.contains(holder.group(3));
    }

    @Test
    void everyTestThatNamesAReportIsListed() {
        List<String> missing = new ArrayList<>();
        SOURCES.forEach((name, source) -> reportsIn(source).forEach(report -> {
            if (!HELD_BY.getOrDefault(report, "").contains("`" + name)) {
                missing.add(name + " names report " + report);
            }
        }));
        assertEquals(List.of(), missing);
    }

    private static TreeSet<Integer> reportsIn(String source) {
        return MENTION.matcher(source).results()
                .flatMap(mention -> NUMBER.matcher(mention.group()).results())
                .map(number -> Integer.parseInt(number.group()))
                .filter(number -> number <= REPORTS)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
