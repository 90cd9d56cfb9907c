package io.jsrpt.scsi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * LOG SENSE, SPC-4 6.7 and 7.3: supported pages, write and read error counters, temperature, start-stop cycles.
 * Thresholds and default values are zero. Nothing is saved, and nothing can be set.
 */
record LogSenseCommand() implements CommandHandler {
    private static final int SUPPORTED = 0x00;
    private static final int WRITE_ERRORS = 0x02;
    private static final int READ_ERRORS = 0x03;
    private static final int TEMPERATURE = 0x0D;
    private static final int START_STOP = 0x0E;
    private static final int[] PAGES = {SUPPORTED, WRITE_ERRORS, READ_ERRORS, TEMPERATURE, START_STOP};
    private static final int ALL_SUBPAGES = 0xFF;
    private static final int SUBPAGE_FORMAT = 0x40;

    private static final int CUMULATIVE = 1;
    private static final int ASCII_LIST = 0x01;
    private static final int BINARY_LIST = 0x03;
    private static final byte[] UNKNOWN_TEMPERATURE = {0, (byte) 0xFF};
    private static final byte[] UNKNOWN_DATE = "      ".getBytes(StandardCharsets.US_ASCII);

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int control = task.cdb.u8(2) >> 6;
        int page = task.cdb.u8(2) & 0x3F;
        int subpage = task.cdb.u8(3);
        int pointer = task.cdb.u16(5);
        boolean list = page == SUPPORTED && (subpage == 0 || subpage == ALL_SUBPAGES);
        Map<Integer, byte[]> parameters = parameters(task.unit, page, control == CUMULATIVE);
        if (parameters.isEmpty() && page != SUPPORTED) {
            return task.invalidField(2, 5);
        }
        if (subpage != 0 && !list) {
            return task.invalidField(3, 7);
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        if (list) {
            if (pointer != 0) {
                return task.invalidField(5, 7);
            }
            writeSupported(content, subpage);
        } else {
            parameters.forEach((code, parameter) -> content.writeBytes(code >= pointer ? parameter : new byte[0]));
            if (content.size() == 0) {
                return task.invalidField(5, 7);
            }
        }
        byte[] data = new byte[4 + content.size()];
        data[0] = (byte) (page | (subpage != 0 ? SUBPAGE_FORMAT : 0));
        data[1] = (byte) subpage;
        BigEndian.putShort(data, 2, content.size());
        System.arraycopy(content.toByteArray(), 0, data, 4, content.size());
        return task.respond(data, task.cdb.u16(7));
    }

    private static void writeSupported(ByteArrayOutputStream content, int subpage) {
        for (int code : PAGES) {
            content.write(code);
            if (subpage == ALL_SUBPAGES) {
                content.write(0);
                if (code == SUPPORTED) {
                    content.write(SUPPORTED);
                    content.write(ALL_SUBPAGES);
                }
            }
        }
    }

    private static Map<Integer, byte[]> parameters(LogicalUnit unit, int page, boolean cumulative) {
        Map<Integer, byte[]> parameters = new TreeMap<>();
        UnitCounters counters = unit.counters();
        switch (page) {
            case WRITE_ERRORS ->
                addCounters(parameters, counters.bytesWritten(), counters.writeErrors(), cumulative);
            case READ_ERRORS -> addCounters(parameters, counters.bytesRead(), counters.readErrors(), cumulative);
            case TEMPERATURE -> {
                add(parameters, 0, BINARY_LIST, UNKNOWN_TEMPERATURE);
                add(parameters, 1, BINARY_LIST, UNKNOWN_TEMPERATURE);
            }
            case START_STOP -> {
                add(parameters, 1, ASCII_LIST, UNKNOWN_DATE);
                add(parameters, 2, ASCII_LIST, UNKNOWN_DATE);
                // no number of cycles is specified for the unit's lifetime
                add(parameters, 3, BINARY_LIST, new byte[4]);
                byte[] cycles = new byte[4];
                BigEndian.putInt(cycles, 0, (int) counters.starts());
                add(parameters, 4, BINARY_LIST, cycles);
            }
            default -> { }
        }
        return parameters;
    }

    /** SPC-4 7.3.5: total bytes processed, and total uncorrected errors; nothing is corrected here. */
    private static void addCounters(Map<Integer, byte[]> parameters, long bytes, long errors, boolean cumulative) {
        for (int code : new int[] {5, 6}) {
            byte[] counter = new byte[8];
            BigEndian.putLong(counter, 0, !cumulative ? 0 : code == 5 ? bytes : errors);
            add(parameters, code, 0, counter);
        }
    }

    private static void add(Map<Integer, byte[]> parameters, int code, int control, byte[] value) {
        byte[] parameter = new byte[4 + value.length];
        BigEndian.putShort(parameter, 0, code);
        parameter[2] = (byte) control;
        parameter[3] = (byte) value.length;
        System.arraycopy(value, 0, parameter, 4, value.length);
        parameters.put(code, parameter);
    }
}
