/**
 * The InfiniBand connection manager (IBTA volume 1, chapter 12; RDMA/CM: annex A11), without any input or output:
 * {@link io.jsrpt.rdma.cm.CmEngine} takes datagrams, commands and the time, and answers through a
 * {@link io.jsrpt.rdma.cm.CmSink}.
 */
package io.jsrpt.rdma.cm;
