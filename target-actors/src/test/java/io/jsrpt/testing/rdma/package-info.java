/**
 * An RDMA provider in memory whose wire and whose peers are the test: connection manager events, completions and faults
 * happen when the test says so. It keeps account of every object: what is open, what was destroyed twice, what was used
 * after it was destroyed, what was destroyed in a wrong order. One lock, the ledger's, guards all of it.
 */
package io.jsrpt.testing.rdma;
