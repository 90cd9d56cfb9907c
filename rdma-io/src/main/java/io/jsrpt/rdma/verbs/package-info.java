/**
 * The provider {@code verbs}: RDMA devices through the host's {@code librdmacm} and {@code libibverbs}, called by
 * {@code java.lang.foreign}.
 *
 * <p>How the libraries are reached: exported functions by name ({@link io.jsrpt.rdma.verbs.Ibverbs},
 * {@link io.jsrpt.rdma.verbs.Rdmacm}); the verbs that are inline functions in the headers (post, poll, request
 * notification) through the function table of the opened context. Structures are in
 * {@link io.jsrpt.rdma.verbs.Layouts} and nowhere else. Pointers are plain {@code long}s here.
 *
 * <p>The connection manager's ids have no queue pair of the library: queue pairs are created on a context of this
 * provider's own and moved through their states here, so that no call of {@code librdmacm} touches one that its owner
 * closes at the same time.
 *
 * <p>Threads: per device one that waits for completion events and one for asynchronous events, per event channel one
 * for the connection manager's. They take an event, acknowledge it at once, before anyone is told, and then tell its
 * owner; so the destroy calls of the libraries, which wait until all events of their object are acknowledged, wait for
 * no one. Ids are used and destroyed under their event channel's lock; each object that may be closed by another thread
 * than the one that uses it has a {@link io.jsrpt.rdma.verbs.Gate}.
 */
package io.jsrpt.rdma.verbs;
