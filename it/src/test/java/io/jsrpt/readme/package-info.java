/** Keeps README.md true. */
package io.jsrpt.readme;
