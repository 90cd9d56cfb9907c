package io.jsrpt.store;

/**
 * A part of a store, in bytes, whole blocks.
 *
 * @param mapped whether space is taken for it; what is not reads as zeros
 */
public record Extent(long offset, long length, boolean mapped) {
}
