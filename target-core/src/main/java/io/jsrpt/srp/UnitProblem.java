package io.jsrpt.srp;

/** What is wrong with a received information unit. */
public enum UnitProblem {
    /** Nothing: the unit can be used. */
    NONE,
    /** It has fewer bytes than its fixed part, or than the lengths inside it say. */
    TOO_SHORT,
    /** Its opcode is not that of the unit it was taken for. */
    WRONG_OPCODE,
    /** A data buffer descriptor format that SRP does not define, or not for this direction. */
    UNKNOWN_BUFFER_FORMAT,
    /** The data buffer descriptors do not lie inside the unit. */
    DESCRIPTORS_OUTSIDE_UNIT,
    /** An indirect table whose length is not a multiple of a descriptor's, or not the one that was announced. */
    BAD_TABLE_LENGTH,
    /** The table has more descriptors than this target takes. */
    TOO_MANY_DESCRIPTORS,
    /** The descriptors hold less than the total that the unit announces. */
    BAD_TOTAL_LENGTH,
    /** A data buffer that wraps around the end of the address space. */
    BAD_ADDRESS,
    /** Immediate data on a channel that did not negotiate it. */
    IMMEDIATE_DATA_NOT_NEGOTIATED,
    /** Immediate data that does not lie inside the unit, or overlaps its header. */
    IMMEDIATE_DATA_OUTSIDE_UNIT
}
