package io.jsrpt.scsi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/**
 * What a logical unit says of itself. Initiators recognise a disk by it across restarts, paths and targets, so it must
 * stay the same for the same data and differ for different data.
 *
 * @param vendor T10 vendor identification, 1 to 8 printable ASCII characters
 * @param product product identification, 1 to 16 printable ASCII characters
 * @param revision product revision level, 1 to 4 printable ASCII characters
 * @param serial unit serial number, 1 to 64 printable ASCII characters
 * @param naa an NAA 6 designator (IEEE Registered Extended, 16 bytes, SPC-4 7.8.6.6.5): 32 hexadecimal digits, the
 *     first of them 6; a dash or colon between digits is ignored
 */
public record LogicalUnitIdentity(String vendor, String product, String revision, String serial, String naa) {
    /** The vendor of {@link #derived}. */
    public static final String VENDOR = "JSRPT";
    /** The revision of {@link #derived}. */
    public static final String REVISION = "0001";

    private static final int NAA_LENGTH = 16;

    public LogicalUnitIdentity {
        check("vendor", vendor, 8);
        check("product", product, 16);
        check("revision", revision, 4);
        check("serial number", serial, 64);
        naa = naa.replace("-", "").replace(":", "").toLowerCase(Locale.ROOT);
        if (!naa.matches("6[0-9a-f]{31}")) {
            throw new IllegalArgumentException("an NAA identifier is 32 hexadecimal digits, the first a 6: " + naa);
        }
    }

    /**
     * An identity made of a name alone: equal names have equal identities, on any machine. The NAA designator has a
     * company identifier of zero, and 100 bits of a digest of the name for its vendor-specific parts.
     *
     * @param product product identification, as above
     * @param name what makes the unit unique in its storage area network, such as the target's name with the number
     */
    public static LogicalUnitIdentity derived(String product, String name) {
        byte[] digest = digest(name);
        digest[0] = 0x60;
        digest[1] = 0;
        digest[2] = 0;
        digest[3] &= 0x0F;
        String naa = HexFormat.of().formatHex(digest, 0, NAA_LENGTH);
        return new LogicalUnitIdentity(VENDOR, product, REVISION, naa.substring(16), naa);
    }

    private static byte[] digest(String name) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void check(String what, String value, int longest) {
        if (value.isBlank() || value.length() > longest || !value.chars().allMatch(c -> c >= 0x20 && c < 0x7F)) {
            throw new IllegalArgumentException(
                "a " + what + " is 1 to " + longest + " printable ASCII characters, not all spaces: \"" + value + "\"");
        }
    }

    /** The text left-aligned in a field of {@code width} spaces, as SPC-4 4.4.1 wants ASCII data fields. */
    static byte[] padded(String text, int width) {
        byte[] field = new byte[width];
        Arrays.fill(field, (byte) ' ');
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, field, 0, ascii.length);
        return field;
    }

    /** The NAA designator's 16 bytes. */
    byte[] naaBytes() {
        return HexFormat.of().parseHex(naa);
    }
}
