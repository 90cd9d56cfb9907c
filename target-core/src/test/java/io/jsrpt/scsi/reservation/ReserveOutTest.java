package io.jsrpt.scsi.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.jsrpt.scsi.nexus.TransportId;
import io.jsrpt.scsi.reservation.ReserveOut.Action;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReserveOutTest {
    private static final String KEYS = "0102030405060708 1112131415161718";
    private static final String ID = "04 00000000000000 A1A2A3A4A5A6A7A8 B1B2B3B4B5B6B7B8";
    private static final TransportId PORT = new TransportId(0xA1A2A3A4A5A6A7A8L, 0xB1B2B3B4B5B6B7B8L);

    private static byte[] list(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static ReserveOut valid(Action action, String hex) {
        return assertInstanceOf(ReserveOut.Valid.class, ReserveOut.decode(action, 0x35, list(hex))).request();
    }

    @Test
    void fields() {
        ReserveOut request = valid(Action.RESERVE, KEYS + "00000000 05 00 0000");
        assertEquals(new ReserveOut(Action.RESERVE, 3, 5, 0x0102030405060708L, 0x1112131415161718L, true, true,
            List.of(), false, 0), request);
    }

    @Test
    void transportIds() {
        assertEquals(List.of(PORT), valid(Action.REGISTER, KEYS + "00000000 08 00 0000 00000018" + ID).others());
        assertEquals(List.of(PORT, PORT),
            valid(Action.REGISTER, KEYS + "00000000 08 00 0000 00000030" + ID + ID).others());
        assertEquals(List.of(), valid(Action.REGISTER, KEYS + "00000000 08 00 0000 00000000").others());
    }

    @Test
    void move() {
        ReserveOut request = valid(Action.REGISTER_AND_MOVE, KEYS + "00 03 1234 00000018" + ID);
        assertEquals(new ReserveOut(Action.REGISTER_AND_MOVE, 3, 5, 0x0102030405060708L, 0x1112131415161718L, true,
            false, List.of(PORT), true, 0x1234), request);
    }

    @ParameterizedTest
    @CsvSource({
        "RESERVE, 00000000 00 00 00, PARAMETER_LIST_LENGTH",
        "RESERVE, 00000000 00 00 0000 00, PARAMETER_LIST_LENGTH",
        "REGISTER, 00000000 00 00 0000 00000018" + ID + ", PARAMETER_LIST_LENGTH",
        "PREEMPT, 00000000 08 00 0000 00000018" + ID + ", PARAMETER_FIELD",
        "REGISTER_AND_IGNORE_EXISTING_KEY, 00000000 08 00 0000 00000018" + ID + ", PARAMETER_FIELD",
        "REGISTER, 00000000 08 00 0000, PARAMETER_FIELD",
        "REGISTER, 00000000 08 00 0000 00000017" + ID + ", PARAMETER_FIELD",
        "REGISTER, 00000000 08 00 0000 FFFFFFE8" + ID + ", PARAMETER_FIELD",
        "REGISTER, 00000000 08 00 0000 00000018" + "05" + "0000000000000000000000000000000000000000000000"
            + ", PARAMETER_FIELD",
        "REGISTER_AND_MOVE, 00 03 1234 00000000, PARAMETER_FIELD",
        "REGISTER_AND_MOVE, 00 03 1234 00000030" + ID + ID + ", PARAMETER_FIELD",
        "REGISTER_AND_MOVE, 00 03 1234 00000019" + ID + ", PARAMETER_FIELD"})
    void refused(Action action, String rest, Refusal.Reason reason) {
        ReserveOut.Decoded decoded = ReserveOut.decode(action, 5, list(KEYS + rest));
        assertEquals(reason, assertInstanceOf(ReserveOut.Invalid.class, decoded).refusal().reason());
    }

    @Test
    void anythingIsDecodedOrRefused() {
        Random random = new Random(1);
        int valid = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] list = new byte[random.nextInt(120)];
            for (int set = random.nextInt(8); set > 0 && list.length > 0; set--) {
                list[random.nextInt(list.length)] = (byte) random.nextInt(256);
            }
            Action action = Action.values()[random.nextInt(Action.values().length)];
            valid += ReserveOut.decode(action, random.nextInt(256), list) instanceof ReserveOut.Valid ? 1 : 0;
        }
        assertEquals(true, valid > 100, valid + " were valid");
    }
}
