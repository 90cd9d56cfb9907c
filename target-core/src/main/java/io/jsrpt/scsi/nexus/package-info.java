/** Who sends commands: I_T nexuses, and the TransportIDs by which initiators name each other. */
package io.jsrpt.scsi.nexus;
