package io.jsrpt.scsi;

/**
 * PRE-FETCH (10) and (16), SBC-3 5.9 and 5.10: a hint. Reads are fast or slow by what the host's page cache holds,
 * which fills itself by reading ahead; so nothing is fetched, and GOOD says that not all of the blocks are in a cache
 * of the unit.
 */
record PreFetchCommand(CdbLayout layout) implements CommandHandler {
    @Override
    public ScsiTask.Phase begin(ScsiTask task, DeviceServer server) {
        return layout.takeRange(task) ? task.good() : ScsiTask.Phase.COMPLETE;
    }
}
