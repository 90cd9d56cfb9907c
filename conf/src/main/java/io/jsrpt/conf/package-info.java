/**
 * The configuration file, its validation, and the command line.
 *
 * <p>A file is read once, into immutable records, before anything is opened; every mistake in it is found in that one
 * pass.
 */
package io.jsrpt.conf;
