/**
 * Deterministic simulation: production code, driven on one thread, on a model of JetStream in
 * virtual time, while everything around it fails as one seed says. {@link
 * dev.contrail.simulation.Simulation} is the way in.
 */
@NullMarked
package dev.contrail.simulation;

import org.jspecify.annotations.NullMarked;
