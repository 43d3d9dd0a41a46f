/** Streams and consumers as the server tells of them. */
@NullMarked
package dev.contrail.operations.server;

import org.jspecify.annotations.NullMarked;
