package io.jsrpt.conf;

import io.jsrpt.conf.UnitConfiguration.File;
import io.jsrpt.conf.UnitConfiguration.Medium;
import io.jsrpt.conf.UnitConfiguration.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads and checks the logical units. */
final class UnitReader {
    /** The settings that logical-unit-defaults may hold: those that make sense for more than one unit. */
    static final Set<String> SHARED = Set.of("block-size", "physical-block-size", "read-only", "write-cache", "vendor",
        "product", "revision", "threads");
    private static final int MAX_LUN = 16_383;
    private static final long MAX_SIZE = 1L << 60;
    private static final int MAX_PHYSICAL_BLOCK = 65_536;
    private static final long PAGE = 4096;
    private static final int MAX_SERIAL = 64;
    private static final String RESERVATIONS = "reservations";
    private static final String NONE = "none";
    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]*");
    private static final Pattern NAA = Pattern.compile("6[0-9a-f]{31}");

    private final Path folder;
    private final String targetName;
    private final Map<Integer, String> placesOfLuns = new LinkedHashMap<>();
    private final Map<String, Integer> lunsOfNames = new LinkedHashMap<>();
    private final Map<Path, UnitConfiguration> unitsOfFiles = new LinkedHashMap<>();

    /**
     * A reader for one configuration.
     *
     * @param folder what relative paths start from
     */
    UnitReader(Path folder, String targetName) {
        this.folder = folder;
        this.targetName = targetName;
    }

    UnitConfiguration read(Section unit) {
        int lun = unit.integer("lun", 0, MAX_LUN);
        int blockSize = unit.choice("block-size", blockSizes());
        boolean readOnly = unit.bool("read-only");
        String naa = unit.optionalText("naa").map(text -> text.toLowerCase(Locale.ROOT).replaceFirst("^0x", ""))
            .orElse(Identities.naa(targetName, lun));
        UnitConfiguration settings = new UnitConfiguration(lun, medium(unit, blockSize, readOnly), blockSize,
            physicalBlockSize(unit, blockSize), readOnly, unit.bool("write-cache"), ascii(unit, "vendor", 8),
            ascii(unit, "product", 16), ascii(unit, "revision", 4), serial(unit, naa), naa);
        if (!NAA.matcher(naa).matches()) {
            unit.mistake("naa", "is \"" + naa + "\" but must be 32 hexadecimal digits, the first a 6; in quotes");
        }
        checkDuplicates(unit, settings);
        unit.noteUnknownKeys();
        return settings;
    }

    private void checkDuplicates(Section unit, UnitConfiguration settings) {
        if (unit.isGiven("lun")) {
            String other = placesOfLuns.putIfAbsent(settings.lun(), unit.place("lun"));
            if (other != null) {
                unit.mistake("lun", "is " + settings.lun() + ", which is taken by the unit at " + other);
                return;
            }
        }
        Integer sameName = lunsOfNames.putIfAbsent(settings.naa(), settings.lun());
        if (sameName != null) {
            unit.mistake("naa", "is the name of LUN " + sameName + " too; an initiator would take both for one disk");
        }
        if (settings.medium() instanceof File file) {
            UnitConfiguration same = unitsOfFiles.putIfAbsent(file.path(), settings);
            if (same != null && !(same.readOnly() && settings.readOnly())) {
                unit.mistake("path", "is the file of LUN " + same.lun()
                    + " too; only read-only units may share a file");
                return;
            }
            file.reservations().ifPresent(kept -> {
                UnitConfiguration other = unitsOfFiles.putIfAbsent(kept, settings);
                if (other != null) {
                    unit.mistake(RESERVATIONS, "is " + kept + ", which is a file of LUN " + other.lun() + " too");
                }
            });
        }
    }

    private static Map<String, Integer> blockSizes() {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        sizes.put("512", 512);
        sizes.put("4096", 4096);
        return sizes;
    }

    private static int physicalBlockSize(Section unit, int blockSize) {
        long size = unit.optionalBytes("physical-block-size", 512, MAX_PHYSICAL_BLOCK)
            .orElse(Math.max(blockSize, PAGE));
        if (Long.bitCount(size) != 1 || size < blockSize) {
            unit.mistake("physical-block-size", "is " + size + " but must be a power of two and at least the block"
                + " size, " + blockSize);
        }
        return (int) size;
    }

    private static String ascii(Section unit, String key, int max) {
        return checkedAscii(unit, key, max, unit.text(key));
    }

    private static String checkedAscii(Section unit, String key, int max, String text) {
        if (text.isBlank() || text.length() > max || !PRINTABLE.matcher(text).matches()) {
            unit.mistake(key, "is \"" + text + "\" but must be 1 to " + max + " printable ASCII characters");
        }
        return text;
    }

    private static String serial(Section unit, String naa) {
        return checkedAscii(unit, "serial", MAX_SERIAL,
            unit.optionalText("serial").orElse(naa.substring(naa.length() / 2)));
    }

    private Medium medium(Section unit, int blockSize, boolean readOnly) {
        Map<String, String> types = new LinkedHashMap<>();
        types.put("memory", "memory");
        types.put("file", "file");
        Optional<Long> size = unit.optionalBytes("size", blockSize, MAX_SIZE);
        size.filter(bytes -> bytes % blockSize != 0).ifPresent(bytes -> unit.mistake("size",
            "is " + bytes + " bytes, which is not a multiple of the block size, " + blockSize));
        Optional<String> path = unit.optionalText("path");
        if (unit.choice("type", types).equals("file")) {
            return file(unit, path, size, blockSize, readOnly);
        }
        unit.value("threads");
        for (String key : List.of("path", RESERVATIONS)) {
            if (unit.optionalText(key).isPresent() && unit.isGiven("type")) {
                unit.mistake(key, "is for units of type file; this one's type is memory");
            }
        }
        if (size.isEmpty() && !unit.isGiven("size")) {
            unit.mistake("size", "is missing; a unit of type memory needs one, such as \"64 MiB\"");
        }
        return new Memory(size.orElse((long) blockSize));
    }

    private Medium file(Section unit, Optional<String> path, Optional<Long> size, int blockSize, boolean readOnly) {
        int threads = unit.integer("threads", 1, 256);
        if (path.isEmpty()) {
            unit.mistake("path", "is missing; a unit of type file needs one");
        }
        Optional<Path> file = path.flatMap(text -> resolved(unit, "path", text));
        file.ifPresent(found -> {
            if (!Files.exists(found)) {
                checkNew(unit, found, size, readOnly);
            } else if (Files.isDirectory(found)) {
                unit.mistake("path", "is a directory: " + found);
            } else {
                checkExisting(unit, found, size, blockSize, readOnly);
            }
        });
        Optional<Path> reservations = reservations(unit, file, readOnly);
        return new File(file.orElse(folder), size, threads, reservations);
    }

    private Optional<Path> resolved(Section unit, String key, String text) {
        try {
            return Optional.of(folder.resolve(text).normalize());
        } catch (InvalidPathException e) {
            unit.mistake(key, "is \"" + text + "\" which is no path: " + e.getReason());
            return Optional.empty();
        }
    }

    /** Beside a device there is no good place for a file, and a unit that is not written is seldom a cluster's. */
    private Optional<Path> reservations(Section unit, Optional<Path> file, boolean readOnly) {
        Optional<String> text = unit.optionalText(RESERVATIONS);
        if (text.isEmpty()) {
            return file.filter(path -> !readOnly && !isDevice(path) && mayHaveFiles(path.getParent()))
                .map(path -> path.resolveSibling(path.getFileName() + "." + RESERVATIONS));
        }
        if (text.get().equals(NONE)) {
            return Optional.empty();
        }
        Optional<Path> kept = resolved(unit, RESERVATIONS, text.get());
        kept.ifPresent(path -> checkReservations(unit, path));
        return kept;
    }

    private static void checkReservations(Section unit, Path kept) {
        if (Files.exists(kept) && !Files.isRegularFile(kept)) {
            unit.mistake(RESERVATIONS, "names " + kept + " which is not a regular file");
        } else if (!mayHaveFiles(kept.getParent())) {
            unit.mistake(RESERVATIONS, "names " + kept + " but " + kept.getParent()
                + " is no directory in which this user may create files");
        }
    }

    private static boolean isDevice(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path);
    }

    private static boolean mayHaveFiles(Path directory) {
        return directory != null && Files.isDirectory(directory) && Files.isWritable(directory);
    }

    private static void checkNew(Section unit, Path file, Optional<Long> size, boolean readOnly) {
        Path parent = file.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            unit.mistake("path", "names " + file + " but there is no directory " + parent + "; create it first");
        } else if (readOnly) {
            unit.mistake("path", "names " + file + " which does not exist; a read-only unit is not created");
        } else if (!Files.isWritable(parent)) {
            unit.mistake("path", "names " + file + " but this user may not create a file there");
        }
        if (size.isEmpty() && !unit.isGiven("size") && !readOnly) {
            unit.mistake("size", "is missing; " + file + " does not exist and is created with this size");
        }
    }

    private static void checkExisting(Section unit, Path file, Optional<Long> size, int blockSize, boolean readOnly) {
        if (!Files.isReadable(file)) {
            unit.mistake("path", "names " + file + " which this user may not read");
        } else if (!readOnly && !Files.isWritable(file)) {
            unit.mistake("path", "names " + file + " which this user may not write; allow it, or set read-only = true");
        }
        if (!Files.isRegularFile(file)) {
            return;
        }
        long found = length(file);
        if (size.isPresent() && size.get() != found) {
            unit.mistake("size", "is " + Sizes.text(size.get()) + " but " + file + " exists with " + Sizes.text(found)
                + "; leave size out to take the file as it is");
        } else if (found == 0 || found % blockSize != 0) {
            unit.mistake("path", "names " + file + " whose size, " + found
                + " bytes, is not a multiple of the block size, " + blockSize);
        }
    }

    private static long length(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot ask for the size of " + file, e);
        }
    }
}
