/**
 * Reaching the server the way the {@code nats} tool does: the same flags, variables and saved
 * contexts. What to connect to is resolved without any I/O but the reading of context files; only
 * {@link dev.contrail.cli.connect.Connector} connects.
 */
@NullMarked
package dev.contrail.cli.connect;

import org.jspecify.annotations.NullMarked;
