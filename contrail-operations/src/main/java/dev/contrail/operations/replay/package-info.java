/**
 * What is decided about dead letters. They are chosen ({@link
 * dev.contrail.operations.replay.Selections}); replays are drafted, stored as a plan, carried out,
 * resumed and followed ({@link dev.contrail.operations.replay.ReplayPlans}); payloads are edited
 * ({@link dev.contrail.operations.replay.Edits}); the rest is {@link
 * dev.contrail.operations.replay.Decisions}.
 */
@NullMarked
package dev.contrail.operations.replay;

import org.jspecify.annotations.NullMarked;
