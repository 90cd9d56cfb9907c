/**
 * An actor system that runs on the test's thread, one step at a time, in an order that the test chooses: its
 * dispatchers only collect what is ready to run, and its clock only moves when the test says so.
 */
package io.jsrpt.testing.stepping;
