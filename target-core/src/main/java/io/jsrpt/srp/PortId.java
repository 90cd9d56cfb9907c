package io.jsrpt.srp;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Optional;

/**
 * An SRP port identifier, 16 bytes (SRP r16a, 5.2 and annex B). An initiator's is its extension and the GUID of its
 * port; a target's is the identifier extension and the GUID of its I/O controller.
 *
 * @param high the first eight bytes on the wire, read big-endian: the extension
 * @param low the last eight bytes: the GUID
 */
public record PortId(long high, long low) {
    private static final int DIGITS = 32;
    private static final HexFormat HEX = HexFormat.of();

    /** The 16 bytes at this offset. */
    public static PortId read(MemorySegment memory, long offset) {
        return new PortId(Wire.i64(memory, offset), Wire.i64(memory, offset + 8));
    }

    /** Writes the 16 bytes. */
    public void write(MemorySegment memory, long offset) {
        Wire.put64(memory, offset, high);
        Wire.put64(memory, offset + 8, low);
    }

    /**
     * Reads the form that Linux uses for an initiator ({@code srpt_parse_i_port_id}): an even number of at most 32
     * hexadecimal digits with an optional {@code 0x}; fewer digits are the last bytes, the rest is zero.
     *
     * @return empty when the text has another form
     */
    public static Optional<PortId> parse(String text) {
        String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
        if (digits.isEmpty() || digits.length() > DIGITS || digits.length() % 2 != 0
                || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            return Optional.empty();
        }
        String all = "0".repeat(DIGITS - digits.length()) + digits;
        return Optional.of(new PortId(
                HexFormat.fromHexDigitsToLong(all, 0, DIGITS / 2),
                HexFormat.fromHexDigitsToLong(all, DIGITS / 2, DIGITS)));
    }

    /** The GUID half as Linux prints it, four groups of four digits: {@code 0002:c903:00a1:b2c3}. */
    public String guid() {
        return HEX.toHexDigits(low).replaceAll("(.{4})(?!$)", "$1:");
    }

    /** The form of Linux's access lists: {@code 0x} and 32 digits. */
    @Override
    public String toString() {
        return "0x" + HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }
}
