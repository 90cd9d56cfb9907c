/** Benchmarks; {@code it/bench} builds and runs them. */
package io.jsrpt.bench;
