package io.jsrpt.conf;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sample files are what a newcomer starts from: each is free of mistakes, and one shows every setting. */
class SamplesTest {
    private static final Path SAMPLES = Path.of("samples");

    @Test
    void eachIsFreeOfMistakes() throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.list(SAMPLES)) {
            files = all.filter(file -> file.toString().endsWith(".conf")).toList();
        }
        assertTrue(files.size() >= 3, files::toString);
        for (Path file : files) {
            assertDoesNotThrow(() -> ConfigurationReader.read(file), file::toString);
        }
    }

    @Test
    void everythingNamesEverySetting() throws Exception {
        Config sample = ConfigFactory.parseFile(SAMPLES.resolve("everything.conf").toFile()).getConfig("jsrpt");
        Set<String> names = names(sample);
        sample.getConfigList("logical-units").forEach(unit -> names.addAll(names(unit).stream()
            .map(name -> "logical-unit-defaults." + name).toList()));
        Set<String> missing = new TreeSet<>(names(ConfigFactory.parseResources("reference.conf").getConfig("jsrpt")));
        missing.removeAll(names);
        missing.removeIf(name -> name.startsWith("actor."));
        assertEquals(Set.of(), missing);
    }

    private static Set<String> names(Config config) {
        return config.entrySet().stream().map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }
}
