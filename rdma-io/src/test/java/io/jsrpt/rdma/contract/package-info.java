/**
 * What every RDMA provider must do, as tests that any provider's own test can run: see
 * {@link io.jsrpt.rdma.contract.ProviderContract}.
 */
package io.jsrpt.rdma.contract;
