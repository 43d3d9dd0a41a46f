package dev.contrail.operations.orphans;

/** Where a reaper is killed. */
enum ReapFault {
  AFTER_FIRST_LOOK,
  AFTER_ONE_BURIAL,
  AFTER_DISCARD,
  DURING_HAND_OVER,
  AFTER_HAND_OVER,
  AFTER_LAST_LOOK,
  AFTER_ONE_DELETION,
  /** A wrong order, to see that it is noticed. */
  DELETE_FIRST
}
