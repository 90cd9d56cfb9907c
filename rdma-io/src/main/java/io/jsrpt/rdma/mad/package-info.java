/** Management datagrams (IBTA volume 1, 13.4): their common header and the constants of the classes in use. */
package io.jsrpt.rdma.mad;
