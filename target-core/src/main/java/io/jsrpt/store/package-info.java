/**
 * Block stores: what an embedding storage server implements to export its own volumes, and the stores that come with
 * the target.
 */
package io.jsrpt.store;
