package io.jsrpt.scsi;

/** What a LUN names. */
enum Addressee {
    /** A logical unit of the map. */
    UNIT,
    /** The REPORT LUNS well known logical unit. */
    WELL_KNOWN,
    /** Nothing that is there. */
    NOTHING
}
