/**
 * Replays of dead letters: chosen ({@link dev.contrail.operations.replay.Selections}), drafted and
 * stored as a plan, carried out, resumed and followed ({@link
 * dev.contrail.operations.replay.ReplayPlans}).
 */
@NullMarked
package dev.contrail.operations.replay;

import org.jspecify.annotations.NullMarked;
