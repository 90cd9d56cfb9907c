/**
 * Benchmarks: JMH's of single parts, and {@link io.jsrpt.bench.WholePathBenchmark} of the whole path from an initiator
 * to the store. {@code it/bench} runs them; {@code docs/benchmark.md} tells what they measure.
 */
package io.jsrpt.bench;
