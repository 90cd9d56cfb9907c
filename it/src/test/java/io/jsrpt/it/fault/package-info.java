/**
 * A provider that wraps another and makes what it is told to make go wrong: calls that fail, completions that come late
 * or with an error. What it does not interfere with goes through unchanged.
 */
package io.jsrpt.it.fault;
