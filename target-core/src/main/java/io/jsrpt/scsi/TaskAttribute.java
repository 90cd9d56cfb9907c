package io.jsrpt.scsi;

/** How a command is ordered within its task set (SAM-5, task attributes). */
public enum TaskAttribute {
    SIMPLE,
    HEAD_OF_QUEUE,
    ORDERED,
    ACA
}
