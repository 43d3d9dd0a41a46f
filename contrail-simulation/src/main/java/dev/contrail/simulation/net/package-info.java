/**
 * A network in virtual time between processes that are made up and the model of a server: what the
 * NATS client does for production code, done on one thread, with delays and losses as they come.
 */
@NullMarked
package dev.contrail.simulation.net;

import org.jspecify.annotations.NullMarked;
