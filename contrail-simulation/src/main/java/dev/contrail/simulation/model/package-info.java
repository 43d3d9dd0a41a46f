/**
 * A model of JetStream in virtual time: what one nats-server answers, with nothing of how it is
 * reached. {@link dev.contrail.simulation.model.ModelServer} is the way in.
 *
 * <p>Every request is answered at once, with a value. Time stands still unless {@link
 * dev.contrail.simulation.model.ModelServer#advanceTo} moves it, and what falls due on the way then
 * happens in order. There are no threads, no randomness and no order that depends on hashes: the
 * same calls give the same answers. Delays, losses and crashes of clients are added by whoever
 * drives it.
 *
 * <p>The model is right when the server says so: {@code DifferentialTest} runs thousands of random
 * scripts on it and on real servers and compares every answer. Where servers differ, {@link
 * dev.contrail.simulation.model.ModelVersion} decides.
 *
 * <p>Not modelled, since servers differ there or race with themselves: changing the filters of a
 * consumer, consumers that begin behind the end of a stream, acks and NAKs of what was never
 * delivered on 2.9.10, and what a purge makes of messages that are held. On 2.9.10 the number of
 * pending messages and the subjects of a stream are counted right, which that server does not
 * always do; its memory store also goes on to count messages of a subject that were purged by a
 * sequence behind the last one, against the limit of that subject. A crash loses what consumers
 * know and nothing else; what only a restart does on old servers, such as repeated advisories, is
 * left out.
 */
@NullMarked
package dev.contrail.simulation.model;

import org.jspecify.annotations.NullMarked;
