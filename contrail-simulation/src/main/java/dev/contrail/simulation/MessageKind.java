package dev.contrail.simulation;

/** What a message does to its handler. */
enum MessageKind {
  /** It is handled. */
  GOOD,
  /** It fails a few times first. */
  FLAKY,
  /** It fails with a delay that the handler chose, a few times. */
  TRANSIENT,
  /** The same for as long as faults last. */
  LONG_TRANSIENT,
  /** It always fails. */
  POISON,
  /** It is rejected. */
  REJECTED,
  /** It cannot be read. */
  UNDECODABLE,
  /** It kills the process. */
  KILLER,
  /** Its handler takes longer than AckWait. */
  SLOW,
  /** Its handler runs past its timeout once, and fails then. */
  HANGING,
  /** Its handler runs past its timeout once, and is done then. */
  LATE,
  /** It is rejected, and so large that its dead letter has parts. */
  LARGE
}
