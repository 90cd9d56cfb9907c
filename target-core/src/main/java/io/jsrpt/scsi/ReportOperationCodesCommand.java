package io.jsrpt.scsi;

import java.io.ByteArrayOutputStream;

/** REPORT SUPPORTED OPERATION CODES, SPC-4 6.35, straight from the command table. */
record ReportOperationCodesCommand() implements CommandHandler {
    private static final int NOT_SUPPORTED = 1;
    private static final int SUPPORTED = 3;
    private static final int ONE_WITH_TIMEOUTS = 0x80;
    private static final int ALL_WITH_TIMEOUTS = 0x02;
    private static final int HAS_SERVICE_ACTION = 0x01;
    /** A command timeouts descriptor (SPC-4 6.35.4) that gives no timeouts. */
    private static final byte[] NO_TIMEOUTS = {0x00, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        boolean timeouts = task.cdb.bit(2, 7);
        int operationCode = task.cdb.u8(3);
        int serviceAction = task.cdb.u16(4);
        LogicalUnit unit = task.unit;
        boolean hasServiceActions = CommandTable.hasServiceActions(operationCode, unit);
        byte[] data;
        switch (task.cdb.u8(2) & 7) {
            case 0 -> data = all(unit, timeouts);
            case 1 -> {
                if (hasServiceActions) {
                    return task.invalidField(2, 2);
                }
                data = one(CommandTable.find(operationCode, Command.NO_SERVICE_ACTION, unit), timeouts);
            }
            case 2 -> {
                if (!hasServiceActions) {
                    return task.invalidField(2, 2);
                }
                data = one(CommandTable.find(operationCode, serviceAction, unit), timeouts);
            }
            case 3 -> {
                boolean bare = !hasServiceActions && serviceAction == 0;
                data = one(CommandTable.find(operationCode, bare ? Command.NO_SERVICE_ACTION : serviceAction, unit),
                    timeouts);
            }
            default -> {
                return task.invalidField(2, 2);
            }
        }
        return task.respond(data, task.cdb.u32(6));
    }

    private static byte[] all(LogicalUnit unit, boolean timeouts) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (Command command : CommandTable.ALL) {
            if (!command.offeredBy(unit)) {
                continue;
            }
            byte[] descriptor = new byte[8];
            descriptor[0] = (byte) command.operationCode();
            boolean action = command.serviceAction() != Command.NO_SERVICE_ACTION;
            BigEndian.putShort(descriptor, 2, action ? command.serviceAction() : 0);
            descriptor[5] = (byte) ((timeouts ? ALL_WITH_TIMEOUTS : 0) | (action ? HAS_SERVICE_ACTION : 0));
            BigEndian.putShort(descriptor, 6, command.cdbLength());
            list.writeBytes(descriptor);
            if (timeouts) {
                list.writeBytes(NO_TIMEOUTS);
            }
        }
        byte[] data = new byte[4 + list.size()];
        BigEndian.putInt(data, 0, list.size());
        System.arraycopy(list.toByteArray(), 0, data, 4, list.size());
        return data;
    }

    /** A command's usage data; what is not supported, null, has none. */
    private static byte[] one(Command command, boolean timeouts) {
        if (command == null) {
            return new byte[] {0, NOT_SUPPORTED, 0, 0};
        }
        byte[] usage = command.usage();
        byte[] data = new byte[4 + usage.length + (timeouts ? NO_TIMEOUTS.length : 0)];
        data[1] = (byte) (SUPPORTED | (timeouts ? ONE_WITH_TIMEOUTS : 0));
        BigEndian.putShort(data, 2, usage.length);
        System.arraycopy(usage, 0, data, 4, usage.length);
        if (timeouts) {
            System.arraycopy(NO_TIMEOUTS, 0, data, 4 + usage.length, NO_TIMEOUTS.length);
        }
        return data;
    }
}
