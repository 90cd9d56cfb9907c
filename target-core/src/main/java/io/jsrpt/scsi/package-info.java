/**
 * The SCSI device server: commands, sense data, vital product data, mode pages. It knows no transport: a transport
 * hands it command descriptor blocks (CDBs) through {@link io.jsrpt.scsi.DeviceServer}, and moves the data itself.
 */
package io.jsrpt.scsi;
