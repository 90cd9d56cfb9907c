/**
 * Persistent reservations (SPC-4 5.12) as values: what is registered and reserved, what a PERSISTENT RESERVE OUT makes
 * of it, and the file that keeps it. Nothing here knows commands, stores or threads.
 */
package io.jsrpt.scsi.reservation;
