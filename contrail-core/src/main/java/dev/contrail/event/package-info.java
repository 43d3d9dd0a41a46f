/**
 * What was decided about dead letters and what became of them, as events that are stored one
 * message each: their subjects ({@link dev.contrail.event.EventAddress}), their headers ({@link
 * dev.contrail.event.EventFormat}), what they add up to ({@link dev.contrail.event.EntryState}),
 * which step may be taken when ({@link dev.contrail.event.LegalSteps}), and the copies that a
 * replay publishes ({@link dev.contrail.event.ReplayCopy}).
 */
@NullMarked
package dev.contrail.event;

import org.jspecify.annotations.NullMarked;
