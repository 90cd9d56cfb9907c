package io.jsrpt.scsi.reservation;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.reservation.Reservations.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Keeps reservations in a small text file: a line with the format's version, one for the unit, one for each
 * registration and one for the reservation, and the CRC-32 of all of it.
 *
 * <p>A new file is written beside the old one, brought to stable storage, and renamed; then the folder is brought to
 * stable storage. So after a loss of power there is the old state or the new one, and the new one once {@link #save}
 * has returned.
 *
 * @param path of the file
 * @param unit the unit's identifier; a file of another unit is not taken
 */
public record ReservationFile(Path path, String unit) implements ReservationKeeper {
    private static final String VERSION = "jsrpt-reservations 1";
    private static final String UNIT = "unit";
    private static final String REGISTRATION = "registration";
    private static final String RESERVATION = "reservation";
    private static final String CHECKSUM = "crc32";
    private static final HexFormat HEX = HexFormat.of();

    @Override
    public boolean keeps() {
        return true;
    }

    @Override
    public Optional<Reservations> load() throws IOException {
        String text;
        try {
            text = Files.readString(path, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " does not hold the reservations of " + unit + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void save(Reservations reservations) throws IOException {
        if (!reservations.kept()) {
            if (Files.deleteIfExists(path)) {
                forceFolder();
            }
            return;
        }
        Path written = path.resolveSibling(path.getFileName() + ".new");
        try (FileChannel file = FileChannel.open(written, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(format(reservations).getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            file.force(true);
        }
        Files.move(written, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceFolder();
    }

    private void forceFolder() throws IOException {
        try (FileChannel folder = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    private String format(Reservations reservations) {
        StringBuilder text = new StringBuilder();
        text.append(VERSION).append('\n').append(UNIT).append(' ').append(unit).append('\n');
        reservations.registrations().forEach((nexus, registration) -> text.append(REGISTRATION).append(' ')
            .append(format(nexus)).append(' ').append(HEX.toHexDigits(registration.key())).append(' ')
            .append(registration.allTargetPorts()).append('\n'));
        reservations.held().ifPresent(held -> text.append(RESERVATION).append(' ').append(format(held.holder()))
            .append(' ').append(held.type().code()).append('\n'));
        String checksum = checksum(text.toString());
        return text.append(CHECKSUM).append(' ').append(checksum).append('\n').toString();
    }

    private static String format(Nexus nexus) {
        return HEX.toHexDigits(nexus.initiatorHigh()) + HEX.toHexDigits(nexus.initiatorLow()) + ' '
            + HEX.toHexDigits(nexus.targetHigh()) + HEX.toHexDigits(nexus.targetLow()) + ' '
            + HEX.toHexDigits(nexus.addressHigh()) + HEX.toHexDigits(nexus.addressLow());
    }

    private Reservations parse(String text) {
        int checksumAt = text.lastIndexOf(CHECKSUM + ' ');
        require(checksumAt >= 0 && text.endsWith("\n"), "it is cut off");
        String content = text.substring(0, checksumAt);
        require(text.substring(checksumAt).equals(CHECKSUM + ' ' + checksum(content) + '\n'), "its checksum is wrong");
        List<String> lines = content.lines().toList();
        require(lines.size() >= 2 && lines.getFirst().equals(VERSION), "it is of an unknown version");
        require(lines.get(1).equals(UNIT + ' ' + unit), "it is that of another unit, " + lines.get(1));
        Map<Nexus, Registration> registrations = new LinkedHashMap<>();
        Optional<Held> held = Optional.empty();
        for (String line : lines.subList(2, lines.size())) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case REGISTRATION -> {
                    require(words.length == 6, line);
                    registrations.put(nexus(words), new Registration(HexFormat.fromHexDigitsToLong(words[4]),
                        Boolean.parseBoolean(words[5])));
                }
                case RESERVATION -> {
                    require(words.length == 5 && held.isEmpty(), line);
                    ReservationType type = ReservationType.of(Integer.parseInt(words[4])).orElseThrow(
                        () -> new IllegalArgumentException(line));
                    held = Optional.of(new Held(type, nexus(words)));
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
        return new Reservations(0, true, registrations, held);
    }

    /** Three words: the initiator port, the target port and the address. */
    private static Nexus nexus(String[] words) {
        for (int i = 1; i <= 3; i++) {
            require(words[i].length() == 32, words[i]);
        }
        return new Nexus(half(words[1], 0), half(words[1], 16), half(words[2], 0), half(words[2], 16),
            half(words[3], 0), half(words[3], 16));
    }

    private static long half(String digits, int from) {
        return HexFormat.fromHexDigitsToLong(digits, from, from + 16);
    }

    private static String checksum(String content) {
        CRC32 crc = new CRC32();
        crc.update(content.getBytes(StandardCharsets.US_ASCII));
        return HEX.toHexDigits((int) crc.getValue());
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw new IllegalArgumentException(problem);
        }
    }
}
