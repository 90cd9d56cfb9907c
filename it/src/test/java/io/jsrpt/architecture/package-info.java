/** Which way the modules and packages look, held by tests. */
package io.jsrpt.architecture;
