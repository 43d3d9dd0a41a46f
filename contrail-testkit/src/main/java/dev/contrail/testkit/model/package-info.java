/**
 * A model of JetStream in virtual time: what one nats-server answers, with nothing of how it is
 * reached. {@link dev.contrail.testkit.model.ModelServer} is the way in.
 *
 * <p>Every request is answered at once, with a value. Time stands still unless {@link
 * dev.contrail.testkit.model.ModelServer#advanceTo} moves it, and what falls due on the way then
 * happens in order. There are no threads, no randomness and no order that depends on hashes: the
 * same calls give the same answers. Delays, losses and crashes of clients are added by whoever
 * drives it.
 *
 * <p>The model is right when the server says so: {@code DifferentialTest} runs thousands of random
 * scripts on it and on real servers and compares every answer. Where servers differ, {@link
 * dev.contrail.testkit.model.ModelVersion} decides.
 */
@NullMarked
package dev.contrail.testkit.model;

import org.jspecify.annotations.NullMarked;
