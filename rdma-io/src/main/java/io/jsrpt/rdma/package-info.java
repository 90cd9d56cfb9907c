/**
 * The RDMA service interface: verbs and the RDMA connection manager (CM), with their own names, for any provider.
 *
 * <p>Threading, for the whole package: every object has one owner, the thread (or actor) that uses it, and is not safe
 * for use by two at once. A provider's own threads call its user for two kinds of notification only,
 * {@link io.jsrpt.rdma.CompletionQueue#arm} and {@link io.jsrpt.rdma.CmEventChannel#arm}; such a notification may
 * only tell the owner that there is something to fetch, and must not block.
 *
 * <p>Memory: addresses in work requests are native addresses ({@code MemorySegment.address()}) inside a registered
 * {@link io.jsrpt.rdma.MemoryRegion}. Numbers in this package are in host byte order; what goes on the wire is the
 * provider's matter.
 */
package io.jsrpt.rdma;
