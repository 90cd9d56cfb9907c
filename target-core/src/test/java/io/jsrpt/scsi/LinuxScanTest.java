package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that a Linux 6.1 initiator was seen to send to a new disk, with their buffers; none may fail. */
class LinuxScanTest {
    private final Initiator initiator = Units.one();

    @ParameterizedTest
    @CsvSource({
        "12000000240000000000000000000000, 36, 36",
        "12000000600000000000000000000000, 96, 96",
        "12010000040000000000000000000000, 4, 4",
        "12010000fc0000000000000000000000, 252, 13",
        "a0000000000000001000000000000000, 4096, 16",
        "00000000000000000000000000000000, 0, 0",
        "9e100000000000000000000000200000, 32, 32",
        "1a003f00040000000000000000000000, 4, 4",
        "1a000800040000000000000000000000, 4, 4",
        "1a000800200000000000000000000000, 32, 32",
        "a30c011200000000000a000000000000, 10, 10",
        "28000000000000000800000000000000, 4096, 4096",
        "2800000000c000006000000000000000, 49152, 49152"})
    void good(String cdb, int room, int length) {
        Initiator.Answer answer = initiator.send(Units.LUN_0, cdb, room).good();
        assertEquals(length, answer.data().length);
        assertEquals(room - length, answer.residual());
    }
}
