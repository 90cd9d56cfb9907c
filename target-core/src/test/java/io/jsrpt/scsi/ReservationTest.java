package io.jsrpt.scsi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.scsi.reservation.ReservationFile;
import io.jsrpt.scsi.reservation.ReservationKeeper;
import io.jsrpt.scsi.reservation.ReservationType;
import io.jsrpt.scsi.reservation.Reservations;
import io.jsrpt.store.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Reservations as initiators see them: two nexuses of one unit. */
class ReservationTest {
    private static final Nexus ONE = new Nexus(0xA, 1, 9, 9, 0, 101);
    private static final Nexus TWO = new Nexus(0xA, 2, 9, 9, 0, 102);
    private static final int REGISTER = 0;
    private static final int RESERVE = 1;
    private static final int RELEASE = 2;
    private static final int CLEAR = 3;
    private static final int PREEMPT = 4;
    private static final int PREEMPT_AND_ABORT = 5;
    private static final int IGNORE = 6;
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";
    private static final String READ = "28 00 00 00 00 00 00 00 01 00";
    private static final String WRITE = "2A 00 00 00 00 00 00 00 01 00";
    private static final String READ_KEYS = "5E 00 00 00 00 00 00 00 FF 00";
    private static final String READ_RESERVATION = "5E 01 00 00 00 00 00 00 FF 00";
    private static final String CAPABILITIES = "5E 02 00 00 00 00 00 00 FF 00";
    private static final String FULL_STATUS = "5E 03 00 00 00 00 00 00 FF 00";

    private final MemoryStore store = new MemoryStore(1 << 20, 512);
    private LogicalUnit unit = Units.over(store);
    private Initiator one = new Initiator(new DeviceServer(Map.of(0, unit)), ONE);
    private Initiator two = new Initiator(new DeviceServer(Map.of(0, unit)), TWO);

    private static Initiator.Answer out(Initiator from, int action, int type, long key, long actionKey, int flags) {
        byte[] list = new byte[24];
        BigEndian.putLong(list, 0, key);
        BigEndian.putLong(list, 8, actionKey);
        list[20] = (byte) flags;
        return from.write(0, String.format("5F %02X %02X 00 00 00 00 00 18 00", action, type), list);
    }

    private static Initiator.Answer out(Initiator from, int action, int type, long key, long actionKey) {
        return out(from, action, type, key, actionKey, 0);
    }

    private static void assertConflict(Initiator.Answer answer) {
        assertEquals(ScsiStatus.RESERVATION_CONFLICT, answer.status());
        assertEquals(0, answer.sense().length);
    }

    private void attachBoth() {
        for (Initiator initiator : new Initiator[] {one, two}) {
            unit.attach(initiator.nexus(), UnitAttention.POWER_ON_OR_RESET);
            initiator.send(0, TEST_UNIT_READY).condition();
        }
    }

    /** SPC-4 table 66, SBC-3 table 13: what another nexus may do, not registered and registered. */
    @ParameterizedTest
    @CsvFileSource(resources = "reservation-conflicts.csv", delimiter = '|')
    void accessOfOthers(String command, String cdb, boolean throughWriteExclusive, boolean throughExclusiveAccess) {
        for (ReservationType type : ReservationType.values()) {
            for (boolean registered : new boolean[] {false, true}) {
                unit = Units.over(store);
                one = new Initiator(new DeviceServer(Map.of(0, unit)), ONE);
                two = new Initiator(new DeviceServer(Map.of(0, unit)), TWO);
                out(one, REGISTER, 0, 0, 0x11).good();
                if (registered) {
                    out(two, REGISTER, 0, 0, 0x22).good();
                }
                out(one, RESERVE, type.code(), 0x11, 0).good();
                boolean allowed = (registered && type.admitsRegistrants())
                    || (type.excludesReaders() ? throughExclusiveAccess : throughWriteExclusive);
                String what = command + " through " + type + (registered ? ", registered" : "");
                assertEquals(!allowed, conflicts(two, cdb), what);
                assertEquals(false, conflicts(one, cdb), command + " of the holder");
            }
        }
    }

    private boolean conflicts(Initiator initiator, String cdb) {
        byte[] bytes = Initiator.bytes(cdb);
        return initiator.send(0, bytes, 16, TaskAttribute.SIMPLE, 512, new byte[512]).status()
            == ScsiStatus.RESERVATION_CONFLICT;
    }

    /** A row for each command, so that a new one must be thought about. */
    @Test
    void everyCommandIsInTheTable() throws IOException {
        String table = new String(
            ReservationTest.class.getResourceAsStream("reservation-conflicts.csv").readAllBytes(),
            StandardCharsets.US_ASCII);
        for (Command command : CommandTable.ALL) {
            boolean action = command.serviceAction() != Command.NO_SERVICE_ACTION;
            String codes = action ? String.format("| %02X %02X", command.operationCode(), command.serviceAction())
                : String.format("| %02X ", command.operationCode());
            boolean reservation = command.handler().byOwner();
            assertTrue(reservation || table.contains(codes), command.name() + " is not in the table");
        }
    }

    @Test
    void registrationsAndReservationAreReported() {
        assertEquals("0000000000000000", one.send(0, READ_KEYS, 255).good().hex());
        assertEquals("0000000000000000", one.send(0, READ_RESERVATION, 255).good().hex());
        out(one, REGISTER, 0, 0, 0x11, 4).good();
        out(two, IGNORE, 0, 0x77, 0x22).good();
        out(two, RESERVE, 6, 0x22, 0).good();
        assertEquals("00000002" + "00000010" + "0000000000000011" + "0000000000000022",
            one.send(0, READ_KEYS, 255).good().hex());
        assertEquals("00000002" + "00000010" + "0000000000000022" + "00000000" + "00" + "06" + "0000",
            one.send(0, READ_RESERVATION, 255).good().hex());
        String first = "0000000000000011" + "00000000" + "02" + "00" + "00000000" + "0001" + "00000018"
            + "0400000000000000" + "000000000000000A" + "0000000000000001";
        String second = "0000000000000022" + "00000000" + "01" + "06" + "00000000" + "0001" + "00000018"
            + "0400000000000000" + "000000000000000A" + "0000000000000002";
        assertEquals("00000002" + "00000060" + first + second, one.send(0, FULL_STATUS, 255).good().hex());
        assertEquals("00000002" + "0000", one.send(0, "5E 00 00 00 00 00 00 00 06 00", 255).good().hex());
    }

    @Test
    void aReservationOfAllHasNoKey() {
        out(one, REGISTER, 0, 0, 0x11).good();
        out(one, RESERVE, 8, 0x11, 0).good();
        assertEquals("00000001" + "00000010" + "0000000000000000" + "00000000" + "00" + "08" + "0000",
            one.send(0, READ_RESERVATION, 255).good().hex());
    }

    @Test
    void capabilities() throws IOException {
        assertEquals("0008" + "1C" + "90" + "EA01" + "0000", one.send(0, CAPABILITIES, 255).good().hex());
        unit.keepReservations(new Memory());
        assertEquals("0008" + "1D" + "90" + "EA01" + "0000", one.send(0, CAPABILITIES, 255).good().hex());
        out(one, REGISTER, 0, 0, 0x11, 1).good();
        assertEquals("0008" + "1D" + "91" + "EA01" + "0000", one.send(0, CAPABILITIES, 255).good().hex());
    }

    @Test
    void refusals() {
        assertConflict(out(one, RESERVE, 1, 0, 0));
        assertConflict(out(one, REGISTER, 0, 5, 6));
        out(one, REGISTER, 0, 0, 0x11).good();
        assertConflict(out(one, RESERVE, 1, 0x12, 0));
        assertEquals("700005000000000A00000000" + "2400" + "00" + "CB0002",
            out(one, RESERVE, 2, 0x11, 0).senseHex());
        assertEquals("700005000000000A00000000" + "2600" + "00" + "8F0008",
            out(one, PREEMPT, 1, 0x11, 0).senseHex());
        out(one, RESERVE, 1, 0x11, 0).good();
        assertEquals("5/26/04", out(one, RELEASE, 3, 0x11, 0).condition());
        assertEquals("5/26/00", out(one, REGISTER, 0, 0x11, 0x11, 1).condition(), "nothing can be kept here");
        assertEquals("5/1A/00", one.write(0, "5F 00 00 00 00 00 00 00 17 00", new byte[24]).condition());
        assertEquals("5/1A/00", one.write(0, "5F 00 00 00 00 00 00 00 19 00", new byte[25]).condition());
        assertEquals("5/24/00", one.write(0, "5F 08 00 00 00 00 00 00 18 00", new byte[24]).condition());
        assertEquals("5/24/00", one.send(0, "5E 04 00 00 00 00 00 00 FF 00", 255).condition());
    }

    @Test
    void unitAttentions() {
        attachBoth();
        out(one, REGISTER, 0, 0, 0x11).good();
        out(two, REGISTER, 0, 0, 0x22).good();
        out(one, RESERVE, 5, 0x11, 0).good();
        out(one, RELEASE, 5, 0x11, 0).good();
        assertEquals("6/2A/04", two.send(0, TEST_UNIT_READY).condition());
        out(one, CLEAR, 0, 0x11, 0).good();
        assertEquals("6/2A/03", two.send(0, TEST_UNIT_READY).condition());
        out(one, REGISTER, 0, 0, 0x11).good();
        out(two, REGISTER, 0, 0, 0x22).good();
        out(one, PREEMPT_AND_ABORT, 1, 0x11, 0x22).good();
        assertEquals("6/2A/05", two.send(0, TEST_UNIT_READY).condition());
        two.send(0, TEST_UNIT_READY).good();
        one.send(0, TEST_UNIT_READY).good();
    }

    /** SAM-5 5.3.3: the conflict comes first, the attention stays for a command that is allowed. */
    @Test
    void aConflictIsToldBeforeAnAttention() {
        attachBoth();
        out(one, REGISTER, 0, 0, 0x11).good();
        out(one, RESERVE, 1, 0x11, 0).good();
        unit.establish(UnitAttention.CAPACITY_DATA_CHANGED);
        assertConflict(two.write(0, WRITE, new byte[512]));
        assertEquals("6/2A/09", two.send(0, READ, 512).condition());
        two.send(0, READ, 512).good();
    }

    /** SPC-2: RESERVE excludes all others, ends with the nexus or a reset, and does not mix with persistent ones. */
    @ParameterizedTest
    @EnumSource
    void reserveAndRelease(CdbForm form) {
        attachBoth();
        one.send(0, form.reserve).good();
        one.send(0, form.reserve).good();
        assertConflict(two.send(0, form.reserve));
        assertConflict(two.send(0, READ, 512));
        assertConflict(two.send(0, TEST_UNIT_READY));
        two.send(0, "12 00 00 00 FF 00", 255).good();
        two.send(0, "03 00 00 00 FF 00", 255).good();
        two.send(0, "A0 00 00 00 00 00 00 00 00 FF 00 00", 255).good();
        one.send(0, READ, 512).good();
        assertConflict(one.send(0, READ_KEYS, 255));
        assertConflict(out(one, REGISTER, 0, 0, 0x11));
        two.send(0, form.release).good();
        assertConflict(two.send(0, READ, 512));
        one.send(0, form.release).good();
        two.send(0, form.reserve).good();
        assertConflict(one.send(0, READ, 512));
        unit.reset();
        assertEquals("6/29/03", one.send(0, READ, 512).condition());
        one.send(0, READ, 512).good();
        one.send(0, form.reserve).good();
        unit.nexusLost(ONE);
        assertEquals("6/29/03", two.send(0, READ, 512).condition());
        two.send(0, READ, 512).good();
    }

    enum CdbForm {
        SIX("16 00 00 00 00 00", "17 00 00 00 00 00"),
        TEN("56 00 00 00 00 00 00 00 00 00", "57 00 00 00 00 00 00 00 00 00");

        private final String reserve;
        private final String release;

        CdbForm(String reserve, String release) {
            this.reserve = reserve;
            this.release = release;
        }
    }

    /** SPC-4 5.12.3, compatible reservation handling (CRH). */
    @Test
    void reserveWhereThereAreRegistrations() {
        out(one, REGISTER, 0, 0, 0x11).good();
        assertConflict(one.send(0, CdbForm.SIX.reserve));
        assertConflict(two.send(0, CdbForm.SIX.reserve));
        out(one, RESERVE, 1, 0x11, 0).good();
        one.send(0, CdbForm.SIX.reserve).good();
        one.send(0, CdbForm.SIX.release).good();
        assertConflict(two.send(0, CdbForm.SIX.reserve));
        two.send(0, CdbForm.SIX.release).good();
        assertConflict(two.write(0, WRITE, new byte[512]));
        out(two, REGISTER, 0, 0, 0x22).good();
        assertConflict(two.send(0, CdbForm.SIX.reserve));
        out(one, RELEASE, 1, 0x11, 0).good();
        out(one, RESERVE, 5, 0x11, 0).good();
        two.send(0, CdbForm.SIX.reserve).good();
        out(two, PREEMPT, 1, 0x22, 0x11).good();
        assertConflict(one.write(0, WRITE, new byte[512]));
    }

    @Test
    void aResetAndALostNexusLeavePersistentReservations() {
        attachBoth();
        out(one, REGISTER, 0, 0, 0x11).good();
        out(one, RESERVE, 1, 0x11, 0).good();
        unit.reset();
        unit.nexusLost(ONE);
        assertConflict(two.write(0, WRITE, new byte[512]));
    }

    @Test
    void keptOverARestart(@TempDir Path folder) throws IOException {
        ReservationKeeper file = new ReservationFile(folder.resolve("disk"), "6");
        unit.keepReservations(file);
        out(one, REGISTER, 0, 0, 0x11, 1).good();
        out(one, RESERVE, 3, 0x11, 0).good();
        LogicalUnit again = Units.over(store);
        again.keepReservations(new ReservationFile(folder.resolve("disk"), "6"));
        Initiator later = new Initiator(new DeviceServer(Map.of(0, again)), TWO);
        assertConflict(later.send(0, READ, 512));
        new Initiator(new DeviceServer(Map.of(0, again)), ONE).send(0, READ, 512).good();
    }

    @Test
    void aChangeThatCannotBeKeptIsNotDone() throws IOException {
        Memory memory = new Memory();
        unit.keepReservations(memory);
        out(one, REGISTER, 0, 0, 0x11, 1).good();
        memory.fails = true;
        assertEquals("4/44/00", out(one, RESERVE, 1, 0x11, 0).condition());
        two.write(0, WRITE, new byte[512]).good();
        memory.fails = false;
        out(one, RESERVE, 1, 0x11, 0).good();
        assertTrue(memory.saved.orElseThrow().held().isPresent());
        out(one, IGNORE, 0, 0, 0x11, 0).good();
        assertTrue(!memory.saved.orElseThrow().kept(), "with APTPL 0 nothing is kept any more");
    }

    private static final class Memory implements ReservationKeeper {
        private Optional<Reservations> saved = Optional.empty();
        private boolean fails;

        @Override
        public boolean keeps() {
            return true;
        }

        @Override
        public Optional<Reservations> load() {
            return Optional.empty();
        }

        @Override
        public void save(Reservations reservations) throws IOException {
            if (fails) {
                throw new IOException("no space");
            }
            saved = Optional.of(reservations);
        }
    }
}
