package dev.contrail.operations.replay;

/** Where a replaying process stops on the way of an entry, so that it can be killed right there. */
enum ReplayFault {
  BEFORE_STEP,
  AFTER_STEP,
  AFTER_PUBLISH,
  AFTER_PROGRESS,
  /** The wrong order: publishes first, and stops before the step is stored. */
  PUBLISH_FIRST_THEN_BEFORE_STEP
}
