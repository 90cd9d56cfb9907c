package io.jsrpt.scsi;

/** What sense data can say: a sense key with its additional sense code and qualifier (SPC-4 annex D). */
enum SenseCondition {
    NO_ADDITIONAL_SENSE(SenseKey.NO_SENSE, 0x00, 0x00),
    INITIALIZING_COMMAND_REQUIRED(SenseKey.NOT_READY, 0x04, 0x02),
    WRITE_ERROR(SenseKey.MEDIUM_ERROR, 0x0C, 0x00),
    UNRECOVERED_READ_ERROR(SenseKey.MEDIUM_ERROR, 0x11, 0x00),
    INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT(SenseKey.ILLEGAL_REQUEST, 0x0E, 0x03),
    INVALID_COMMAND_OPERATION_CODE(SenseKey.ILLEGAL_REQUEST, 0x20, 0x00),
    LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE(SenseKey.ILLEGAL_REQUEST, 0x21, 0x00),
    INVALID_FIELD_IN_CDB(SenseKey.ILLEGAL_REQUEST, 0x24, 0x00),
    LOGICAL_UNIT_NOT_SUPPORTED(SenseKey.ILLEGAL_REQUEST, 0x25, 0x00),
    SAVING_PARAMETERS_NOT_SUPPORTED(SenseKey.ILLEGAL_REQUEST, 0x39, 0x00),
    INVALID_MESSAGE_ERROR(SenseKey.ILLEGAL_REQUEST, 0x49, 0x00),
    WRITE_PROTECTED(SenseKey.DATA_PROTECT, 0x27, 0x00),
    MISCOMPARE_DURING_VERIFY_OPERATION(SenseKey.MISCOMPARE, 0x1D, 0x00);

    final SenseKey key;
    final int code;
    final int qualifier;

    SenseCondition(SenseKey key, int code, int qualifier) {
        this.key = key;
        this.code = code;
        this.qualifier = qualifier;
    }
}
