package dev.contrail.operations.guard;

/** Where a guard is stopped, so that it can be killed there. */
enum GuardFault {
  /** Nowhere. */
  NONE,
  /** An advisory is read, and nothing else is done. */
  BEFORE_BURIAL,
  /** The first dead letter is stored; nothing is released. */
  AFTER_BURIAL,
  /** The first message is released; its advisory is not acknowledged. */
  AFTER_RELEASE,
  /** The consumer was looked at, and nothing is done about it before somebody says so. */
  AFTER_LOOK,
  /** The wrong order: released first. */
  RELEASE_FIRST
}
