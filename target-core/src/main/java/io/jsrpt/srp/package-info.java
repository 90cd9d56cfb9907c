/**
 * The information units of the SCSI RDMA Protocol (T10/1415-D revision 16a, and SRP-2 for immediate data), for both
 * ends, and the decision about a login. Pure: nothing here does I/O or keeps a clock.
 *
 * <p>Units of the login travel once a connection and are records. Units of the data path are flyweights: one object is
 * wrapped over one receive or send buffer after the other and allocates nothing. A flyweight is used by one thread at a
 * time; its accessors are valid only after {@code validate()} has returned {@link io.jsrpt.srp.UnitProblem#NONE}.
 *
 * <p>Numbers are big-endian on the wire. A tag is eight opaque bytes that the target echoes; here it is a {@code long}
 * that is read and written big-endian, so that the bytes come back as they came.
 */
package io.jsrpt.srp;
