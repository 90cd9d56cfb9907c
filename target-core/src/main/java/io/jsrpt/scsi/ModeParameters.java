package io.jsrpt.scsi;

/**
 * What MODE SELECT can change of a unit, for all nexuses alike. Immutable.
 *
 * @param writeCache a write may be answered before it is on stable storage (WCE of the caching page)
 * @param descriptorSense sense data that goes with a status is in descriptor format (D_SENSE of the control page)
 * @param writeProtected writes are refused (SWP of the control page)
 */
record ModeParameters(boolean writeCache, boolean descriptorSense, boolean writeProtected) {
    /** What holds when nobody has changed anything. */
    static ModeParameters defaults(LogicalUnitSettings settings) {
        return new ModeParameters(settings.writeCache(), false, false);
    }
}
