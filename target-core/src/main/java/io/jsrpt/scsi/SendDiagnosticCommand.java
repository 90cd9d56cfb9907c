package io.jsrpt.scsi;

import java.lang.foreign.ValueLayout;

/**
 * SEND DIAGNOSTIC, SPC-4 6.42: the default self-test, which brings everything to stable storage and reads a block; and
 * a parameter list that asks for the supported pages.
 */
record SendDiagnosticCommand() implements CommandHandler {
    private static final int SELF_TEST = 2;
    private static final int PAGE_LENGTH = 4;

    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        int length = task.cdb.u16(3);
        if (task.cdb.bit(1, SELF_TEST)) {
            return length == 0 ? ScsiTask.Phase.NO_DATA : task.invalidField(3, 7);
        }
        if (length == 0) {
            return task.good();
        }
        return length < PAGE_LENGTH ? task.fail(SenseCondition.PARAMETER_LIST_LENGTH_ERROR) : task.dataOut(length);
    }

    @Override
    public void execute(ScsiTask task) {
        if (task.bufferLength() == 0) {
            task.lba = 0;
            StoreCalls.flush(task, new NextStep(task, failure(), () ->
                StoreCalls.read(task, 0, StoreCalls.scratch(task.unit.blockSize()), task.transferDone())));
            return;
        }
        for (int at = 0; at < PAGE_LENGTH; at++) {
            // the page that asks for the supported pages is all zeros
            if (task.buffer().get(ValueLayout.JAVA_BYTE, at) != 0) {
                task.finishInvalidParameter(at < 2 ? at : 2, 7);
                return;
            }
        }
        task.finish();
    }

    @Override
    public SenseCondition failure() {
        return SenseCondition.LOGICAL_UNIT_FAILED_SELF_TEST;
    }
}
