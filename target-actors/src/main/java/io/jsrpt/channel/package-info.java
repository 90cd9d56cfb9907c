/**
 * The data path of one SRP channel: what the kernel's {@code ib_srpt} does between a completion and the next post. The
 * classes are plain and have a single owner, the channel's actor; only the hand-over of finished store operations and
 * the wake-up may be entered from other threads.
 */
package io.jsrpt.channel;
