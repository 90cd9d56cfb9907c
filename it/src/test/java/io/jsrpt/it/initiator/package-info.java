/**
 * A small SRP initiator over the RDMA service interface: the peer of the whole-target tests, of the fault tests and of
 * the benchmark. It is driven by the thread that calls it; nothing in it is safe for use by two threads at once.
 */
package io.jsrpt.it.initiator;
