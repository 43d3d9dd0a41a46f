/**
 * The life of the messages a worker holds, without I/O, threads or a clock: events go in through
 * {@link dev.contrail.engine.Worker}, commands come out through {@link dev.contrail.engine.Port},
 * time and randomness are arguments. The runtime executes the commands against a NATS server, a
 * simulation against a model of one.
 *
 * <p>Public for Contrail's own modules; applications have no use for it.
 */
@NullMarked
package dev.contrail.engine;

import org.jspecify.annotations.NullMarked;
