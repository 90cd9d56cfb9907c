/**
 * The provider {@code roce}: RoCEv2 in Java (IBTA volume 1, annex A17). {@link io.jsrpt.rdma.roce.RoceProvider} is all
 * that it exports.
 */
package io.jsrpt.rdma.roce;
