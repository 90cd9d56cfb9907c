package io.jsrpt.scsi;

/** INQUIRY, SPC-4 6.6. */
record InquiryCommand() implements CommandHandler {
    private static final int STANDARD_LENGTH = 96;
    private static final int SPC_4 = 6;
    /** HISUP, the hierarchical support of REPORT LUNS, and the response data format that SPC-4 wants. */
    private static final int HISUP_FORMAT_2 = 0x12;
    /** TPGS: target port groups, whose access states change implicitly and explicitly. */
    private static final int TPGS = 0x30;
    private static final int CMDQUE = 0x02;
    /** SAM-5, SRP, SPC-4, SBC-3, each without a version claimed. */
    private static final int[] VERSIONS = {0x00A0, 0x0940, 0x0460, 0x04C0};

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int page = task.cdb.u8(2);
        int allocationLength = task.cdb.u16(3);
        if (!task.cdb.bit(1, 0)) {
            return page == 0 ? task.respond(standard(task), allocationLength) : task.invalidField(2, 7);
        }
        return VitalProductData.page(task.addressee, task.unit, task.nexus(), page)
            .map(data -> task.respond(data, allocationLength))
            .orElseGet(() -> task.invalidField(2, 7));
    }

    private static byte[] standard(ScsiTask task) {
        byte[] data = new byte[STANDARD_LENGTH];
        data[0] = VitalProductData.peripheral(task.addressee);
        data[2] = SPC_4;
        data[3] = HISUP_FORMAT_2;
        data[4] = STANDARD_LENGTH - 5;
        boolean unit = task.addressee == Addressee.UNIT;
        data[5] = (byte) (unit ? TPGS : 0);
        data[7] = CMDQUE;
        putText(data, 8, unit ? task.unit.identity().vendor() : LogicalUnitIdentity.VENDOR, 8);
        putText(data, 16, unit ? task.unit.identity().product() : "SRP TARGET", 16);
        putText(data, 32, unit ? task.unit.identity().revision() : LogicalUnitIdentity.REVISION, 4);
        for (int i = 0; i < VERSIONS.length; i++) {
            BigEndian.putShort(data, 58 + 2 * i, VERSIONS[i]);
        }
        return data;
    }

    private static void putText(byte[] data, int at, String text, int width) {
        System.arraycopy(LogicalUnitIdentity.padded(text, width), 0, data, at, width);
    }
}
